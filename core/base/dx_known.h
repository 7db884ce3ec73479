/* dx_known - how a record says that it does not tell something: missing is never zero. */
#ifndef DX_KNOWN_H
#define DX_KNOWN_H

#include <stdint.h>

#define DX_UNKNOWN INT64_MIN /* a number that is not told */

typedef enum dx_tri { DX_TRI_UNKNOWN = -1, DX_NO = 0, DX_YES = 1 } dx_tri;

#endif
