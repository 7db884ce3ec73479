/* measure - runs a command with its output thrown away, and prints on one line: wall, user and
 * system seconds, peak of anonymous memory in bytes, peak of all resident memory in bytes, exit
 * status.
 *
 * Wall time is CLOCK_MONOTONIC from before the fork until the command has been waited for; user and
 * system time are the kernel's (wait4). Anonymous memory is what the process has for itself: heap,
 * stacks, and pages of mapped files only once it has written to them; so a mapped input does not
 * count. It is RssAnon of /proc/PID/status, looked at every 2 ms and only with --memory, since
 * looking takes time; the peak of all resident memory (ru_maxrss) is the kernel's and exact. */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void run(char **words) {
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
        _exit(127);
    execvp(words[0], words);
    perror(words[0]);
    _exit(127);
}

/* Bytes; 0 when the process is gone. */
static uint64_t anonymous(pid_t pid) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "RssAnon:");
    return at == NULL ? 0 : strtoull(at + 8, NULL, 10) * 1024;
}

static int watch(pid_t pid, bool memory, uint64_t *peak, struct rusage *used) {
    const struct timespec nap = {.tv_nsec = 2000000};
    int status;
    *peak = 0;
    while (wait4(pid, &status, memory ? WNOHANG : 0, used) == 0) {
        uint64_t held = anonymous(pid);
        *peak = held > *peak ? held : *peak;
        nanosleep(&nap, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
    bool memory = argc > 1 && strcmp(argv[1], "--memory") == 0;
    char **words = argv + 1 + memory;
    struct rusage used;
    uint64_t peak;
    if (words[0] == NULL) {
        fputs("usage: measure [--memory] COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    double start = now();
    pid_t pid = fork();
    if (pid < 0) {
        perror("measure: fork");
        return 2;
    }
    if (pid == 0)
        run(words);
    int status = watch(pid, memory, &peak, &used);
    printf("%.6f %.6f %.6f %llu %llu %d\n", now() - start, seconds(used.ru_utime),
           seconds(used.ru_stime), (unsigned long long)peak,
           (unsigned long long)used.ru_maxrss * 1024, status);
    return 0;
}
