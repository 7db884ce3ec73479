/* dx_fs - folders and files, as far as an import must look at them before it reads. */
#ifndef DX_FS_H
#define DX_FS_H

#include "dx_buf.h"
#include "dx_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dx_file_type { DX_FILE, DX_FOLDER, DX_OTHER, DX_BROKEN } dx_file_type;

typedef struct dx_entry {
    char *name;        /* owned by the listing; NULL from dx_fs_stat */
    dx_file_type type; /* of what a link points to; DX_BROKEN: it points to nothing */
    bool link;
    uint64_t size;
    int64_t mtime_ms;
} dx_entry;

typedef struct dx_listing {
    dx_entry *entries; /* sorted by the bytes of their names, without "." and ".." */
    size_t n, cap;
} dx_listing;

/* "file", "folder", "other" (a device, a pipe, a socket), "broken". Never NULL. */
const char *dx_file_type_name(dx_file_type type);

/* Free with dx_listing_done, also after an error. */
DX_MUST_CHECK dx_status dx_fs_list(dx_listing *out, const char *path, dx_err *err);
void dx_listing_done(dx_listing *l);
/* Follows links. DX_E_NOTFOUND: there is no such file; DX_E_IO: it may not be looked at. */
DX_MUST_CHECK dx_status dx_fs_stat(dx_entry *out, const char *path, dx_err *err);
/* The one name of a file, without links, "." and "..": two paths with the same are one file. */
DX_MUST_CHECK dx_status dx_fs_real(dx_buf *out, const char *path, dx_err *err);
/* A regular file whole. DX_E_LIMIT when it has more than max bytes. */
DX_MUST_CHECK dx_status dx_fs_read(dx_buf *out, const char *path, size_t max, dx_err *err);
/* Puts bytes in place of the file's content, for the owner alone (mode 0600): they are written
 * beside it and renamed, so that a reader finds the old or the new content whole, also after a
 * failure. DX_E_IO; what stands at path and is no regular file is left alone. */
DX_MUST_CHECK dx_status dx_fs_write(const char *path, dx_slice bytes, dx_err *err);
/* Makes a folder and those above it that are missing, for the owner alone (mode 0700). DX_OK also
 * when it is there already. */
DX_MUST_CHECK dx_status dx_fs_make_folders(const char *path, dx_err *err);

#endif
