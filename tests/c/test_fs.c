/* test_fs - folders, links, and files read whole. */
#define _XOPEN_SOURCE 700
#include "dx_fs.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static void put(const char *dir, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        abort();
    fputs(text, f);
    fclose(f);
}

static void drop(const char *dir, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
}

static void drop_folder(const char *dir, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    ok(rmdir(path) == 0, "%s is removed", name);
}

static void test_list(const char *dir) {
    dx_listing l;
    dx_err err;
    is_int(dx_fs_list(&l, dir, &err), DX_OK, "a folder is listed");
    is_int(l.n, 4, "without . and ..");
    is_str(l.entries[0].name, ".hidden", "sorted: first");
    is_str(l.entries[1].name, "a", "sorted: second");
    is_int(l.entries[1].size, 5, "with sizes");
    ok(l.entries[1].type == DX_FILE && !l.entries[1].link, "a plain file");
    ok(l.entries[2].type == DX_BROKEN && l.entries[2].link, "a link to nothing");
    ok(l.entries[3].type == DX_FOLDER && l.entries[3].link, "a link to a folder");
    dx_listing_done(&l);
    is_int(dx_fs_list(&l, "/nowhere/at/all", &err), DX_E_NOTFOUND, "a folder that is not there");
    dx_listing_done(&l);
}

static void test_read(const char *dir) {
    char path[300];
    dx_entry e;
    dx_err err;
    dx_buf b;
    dx_buf_init(&b, 0);
    snprintf(path, sizeof path, "%s/a", dir);
    is_int(dx_fs_read(&b, path, 5, &err), DX_OK, "a file is read whole");
    is_slice(dx_buf_slice(&b), "hello", "all of it");
    is_int(dx_fs_read(&b, path, 4, &err), DX_E_LIMIT, "a file that is too large");
    is_int(dx_fs_read(&b, dir, 4, &err), DX_E_IO, "a folder is no file");
    is_int(dx_fs_stat(&e, path, &err), DX_OK, "a file is looked at");
    is_int(e.size, 5, "its size");
    ok(e.mtime_ms > INT64_C(1577836800000), "its time");
    dx_buf_clear(&b);
    snprintf(path, sizeof path, "%s/loop/a", dir);
    is_int(dx_fs_real(&b, path, &err), DX_OK, "a link has a real name");
    ok(strstr(b.p, "loop") == NULL, "without the link");
    dx_buf_done(&b);
}

static void test_make(const char *dir) {
    char path[300];
    dx_entry e;
    dx_err err;
    snprintf(path, sizeof path, "%s/new//deep/er", dir);
    is_int(dx_fs_make_folders(path, &err), DX_OK, "folders are made");
    is_int(dx_fs_make_folders(path, &err), DX_OK, "and may be there already");
    ok(dx_fs_stat(&e, path, &err) == DX_OK && e.type == DX_FOLDER, "the deepest is there");
    snprintf(path, sizeof path, "%s/a/below", dir);
    ok(dx_fs_make_folders(path, &err) != DX_OK, "not below a file");
    snprintf(path, sizeof path, "%s/a", dir);
    is_int(dx_fs_make_folders(path, &err), DX_E_IO, "nor where a file is");
    drop_folder(dir, "new/deep/er");
    drop_folder(dir, "new/deep");
    drop_folder(dir, "new");
}

int main(void) {
    char dir[] = "dx_fs_XXXXXX", link[64];
    if (mkdtemp(dir) == NULL)
        abort();
    put(dir, "a", "hello");
    put(dir, ".hidden", "");
    snprintf(link, sizeof link, "%s/b", dir);
    ok(symlink("nothing", link) == 0, "a link to nothing is made");
    snprintf(link, sizeof link, "%s/loop", dir);
    ok(symlink(".", link) == 0, "a link to its own folder is made");
    test_list(dir);
    test_read(dir);
    test_make(dir);
    drop(dir, "a");
    drop(dir, ".hidden");
    drop(dir, "b");
    drop(dir, "loop");
    rmdir(dir);
    return done();
}
