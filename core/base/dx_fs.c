/* dx_fs.c - see dx_fs.h. */
#define _XOPEN_SOURCE 700
#include "dx_fs.h"

#include "dx_mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *dx_file_type_name(dx_file_type type) {
    switch (type) {
    case DX_FILE: return "file";
    case DX_FOLDER: return "folder";
    case DX_OTHER: return "other";
    case DX_BROKEN: return "broken";
    }
    return "other";
}

static dx_status no_file(const char *path, dx_err *err) {
    dx_status code = errno == ENOENT || errno == ENOTDIR ? DX_E_NOTFOUND : DX_E_IO;
    return dx_fail(err, code, "%s: %s", path, strerror(errno));
}

static void fill(dx_entry *e, const struct stat *st) {
    e->type = S_ISREG(st->st_mode) ? DX_FILE : S_ISDIR(st->st_mode) ? DX_FOLDER : DX_OTHER;
    e->size = (uint64_t)st->st_size;
    e->mtime_ms = (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
}

static void look(int dir, dx_entry *e) {
    struct stat st;
    e->type = DX_BROKEN;
    if (fstatat(dir, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        e->link = S_ISLNK(st.st_mode);
    if (fstatat(dir, e->name, &st, 0) == 0)
        fill(e, &st);
}

static bool add(dx_listing *l, DIR *dir, const char *name) {
    void *entries = l->entries;
    if (!dx_grow(&entries, &l->cap, l->n + 1, sizeof *l->entries))
        return false;
    l->entries = entries;
    dx_entry *e = &l->entries[l->n];
    memset(e, 0, sizeof *e);
    if ((e->name = strdup(name)) == NULL)
        return false;
    look(dirfd(dir), e);
    l->n++;
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const dx_entry *)a)->name, ((const dx_entry *)b)->name);
}

static dx_status read_entries(dx_listing *l, DIR *dir, const char *path, dx_err *err) {
    for (;;) {
        errno = 0;
        struct dirent *d = readdir(dir);
        if (d == NULL)
            return errno == 0 ? DX_OK : no_file(path, err);
        if (dx_str_eq(d->d_name, ".") || dx_str_eq(d->d_name, ".."))
            continue;
        if (!add(l, dir, d->d_name))
            return dx_fail(err, DX_E_NOMEM, "%s: no memory for its list of files", path);
    }
}

dx_status dx_fs_list(dx_listing *out, const char *path, dx_err *err) {
    memset(out, 0, sizeof *out);
    DIR *dir = opendir(path);
    if (dir == NULL)
        return no_file(path, err);
    dx_status st = read_entries(out, dir, path, err);
    closedir(dir);
    if (out->n > 1)
        qsort(out->entries, out->n, sizeof *out->entries, by_name);
    return st;
}

void dx_listing_done(dx_listing *l) {
    for (size_t i = 0; i < l->n; i++)
        free(l->entries[i].name);
    free(l->entries);
    memset(l, 0, sizeof *l);
}

dx_status dx_fs_stat(dx_entry *out, const char *path, dx_err *err) {
    struct stat st;
    memset(out, 0, sizeof *out);
    if (stat(path, &st) != 0)
        return no_file(path, err);
    fill(out, &st);
    return DX_OK;
}

dx_status dx_fs_real(dx_buf *out, const char *path, dx_err *err) {
    char *real = realpath(path, NULL);
    if (real == NULL)
        return no_file(path, err);
    dx_buf_adds(out, real);
    free(real);
    return dx_buf_ok(out) ? DX_OK : dx_fail(err, DX_E_NOMEM, "%s: no memory for its name", path);
}

static dx_status slurp(dx_buf *out, FILE *f, const char *path, size_t max, dx_err *err) {
    char chunk[16384];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        if (n > max - out->n)
            return dx_fail(err, DX_E_LIMIT, "%s: more than %zu bytes", path, max);
        dx_buf_add(out, chunk, n);
        if (!dx_buf_ok(out))
            return dx_fail(err, DX_E_NOMEM, "%s: no memory to read it", path);
    }
    return ferror(f) ? no_file(path, err) : DX_OK;
}

dx_status dx_fs_read(dx_buf *out, const char *path, size_t max, dx_err *err) {
    dx_entry e;
    dx_status st = dx_fs_stat(&e, path, err);
    if (st != DX_OK)
        return st;
    if (e.type != DX_FILE)
        return dx_fail(err, DX_E_IO, "%s: is no regular file", path);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return no_file(path, err);
    dx_buf_clear(out);
    st = slurp(out, f, path, max, err);
    fclose(f);
    return st;
}

/* False: errno says why. */
static bool write_all(int fd, dx_slice bytes) {
    while (bytes.n > 0) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = dx_slice_sub(bytes, (size_t)n, bytes.n);
    }
    return fsync(fd) == 0;
}

/* mkstemp makes the file with mode 0600. */
static dx_status write_beside(char *beside, const char *path, dx_slice bytes, dx_err *err) {
    int fd = mkstemp(beside);
    if (fd < 0)
        return no_file(path, err);
    bool good = write_all(fd, bytes);
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(beside, path) == 0)
        return DX_OK;
    errno = good ? errno : why;
    dx_status st = no_file(path, err);
    unlink(beside);
    return st;
}

dx_status dx_fs_write(const char *path, dx_slice bytes, dx_err *err) {
    dx_entry e;
    dx_buf beside;
    dx_status st = dx_fs_stat(&e, path, NULL);
    if (st == DX_OK && e.type != DX_FILE)
        return dx_fail(err, DX_E_IO, "%s: is no regular file", path);
    dx_buf_init(&beside, 0);
    dx_buf_addf(&beside, "%s.XXXXXX", path);
    st = dx_buf_ok(&beside) ? write_beside(beside.p, path, bytes, err)
                            : dx_fail(err, DX_E_NOMEM, "%s: no memory for its name", path);
    dx_buf_done(&beside);
    return st;
}

/* False: there is no such folder and none can be made; errno says why. */
static bool make_folder(const char *path) {
    struct stat st;
    if (mkdir(path, 0700) == 0)
        return true;
    int why = errno;
    bool there = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    errno = why;
    return there;
}

dx_status dx_fs_make_folders(const char *path, dx_err *err) {
    char *copy = strdup(path);
    dx_status st = DX_OK;
    if (copy == NULL)
        return dx_fail(err, DX_E_NOMEM, "%s: no memory for its name", path);
    for (char *p = copy; st == DX_OK && *p != '\0';) {
        p += strspn(p, "/");
        p += strcspn(p, "/");
        char cut = *p;
        *p = '\0';
        if (!make_folder(copy))
            st = no_file(copy, err);
        *p = cut;
    }
    free(copy);
    return st;
}
