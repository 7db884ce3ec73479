/* dx_jmx_sniff.c - see dx_jmx_sniff.h; by the first bytes only. */
#include "dx_jmx_sniff.h"
#include "dx_jmx.h"

#include <string.h>

dx_slice dx_jmx_head(dx_slice text) {
    if (dx_slice_starts(text, "\xef\xbb\xbf"))
        text = dx_slice_sub(text, 3, text.n);
    return dx_slice_trim(text);
}

/* True when text is '{', then a member whose name is key. */
static bool starts_with_member(dx_slice text, const char *key) {
    if (text.n == 0 || text.p[0] != '{')
        return false;
    text = dx_slice_trim(dx_slice_sub(text, 1, text.n));
    return dx_slice_starts(text, "\"") && dx_slice_starts(dx_slice_sub(text, 1, text.n), key)
           && dx_slice_starts(dx_slice_sub(text, 1 + strlen(key), text.n), "\"");
}

bool dx_jmx_bare(dx_slice text) {
    text = dx_jmx_head(text);
    if (!starts_with_member(text, "name"))
        return false;
    ptrdiff_t open = dx_slice_find_char(text, ':', 0);
    dx_slice value = dx_slice_trim(dx_slice_sub(text, (size_t)open + 1, text.n));
    ptrdiff_t end = dx_slice_find_char(value, '"', 1);
    dx_slice object = dx_slice_sub(value, 1, end < 0 ? 0 : (size_t)end);
    ptrdiff_t colon = dx_slice_find_char(object, ':', 0);
    return open > 0 && dx_slice_starts(value, "\"") && colon > 0
           && dx_slice_find_char(object, '=', (size_t)colon) > 0;
}

dx_status dx_jmx_refuse(dx_slice text, const char *name, const char *why, dx_err *err) {
    dx_slice head = dx_jmx_head(text);
    const char *what = "not a /jmx document";
    if (head.n == 0)
        what = "empty: the connection was closed early, or the file was never written";
    else if (head.p[0] == '<')
        what = "HTML, not a /jmx document: a login or an error page; is the URL right?";
    else if (dx_slice_starts(head, "\x1f\x8b"))
        what = "still compressed (gzip)";
    else if (dx_slice_starts(text, "\xff\xfe") || dx_slice_starts(text, "\xfe\xff"))
        what = "UTF-16: save it as UTF-8";
    else if (starts_with_member(head, "properties"))
        what = "a /conf document, not /jmx";
    else if (why == NULL)
        what = "JSON without \"beans\", not a /jmx document: is the query right?";
    return dx_fail(err, DX_E_PARSE, "%s: %s%s%s%s", name == NULL ? "input" : name, what,
                   why == NULL ? "" : " (", why == NULL ? "" : why, why == NULL ? "" : ")");
}

bool dx_jmx_sniff(dx_slice head) {
    dx_slice s = dx_jmx_head(head);
    size_t i = 0;
    while (i < s.n
           && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '_'
               || ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z')))
        i++;
    if (i > 0 && i < s.n && s.p[i] == '(') /* JSONP */
        s = dx_slice_trim(dx_slice_sub(s, i + 1, s.n));
    return starts_with_member(s, "beans") || starts_with_member(s, "result") || dx_jmx_bare(s);
}
