/* dx_server - the names of servers as HBase prints them: "host,port,startcode", or "host,port". */
#ifndef DX_SERVER_H
#define DX_SERVER_H

#include "dx_known.h"
#include "dx_str.h"

#include <stdbool.h>

typedef struct dx_server_name {
    dx_slice host, address; /* address: "host,port"; both borrowed */
    int64_t port;           /* 0..65535 */
    int64_t start_code;     /* when the process started, ms; DX_UNKNOWN: the name has none */
} dx_server_name;

/* False: s is no such name; then *out is untouched. */
bool dx_server_read(dx_slice s, dx_server_name *out);

#endif
