/* A disk that fails once, for tests/faults.rs, which preloads this: the call number FAULT_AT among those that write to,
 * sync, create, truncate or rename a file below FAULT_FOLDER fails as FAULT_KIND says (ENOSPC, EIO, "short": half of it is
 * written, and the next write fails, or "kill": the process is killed before it). It says so on standard error, and for a sync that failed also which bytes of the
 * file were not synced by then, which the test takes away after the process was killed, as a power cut would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FILES 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static int next_fails;
static struct { ino_t inode; off_t size; } synced[FILES];

static int below(const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, size - 1);
    path[length < 0 ? 0 : length] = 0;
    return below(path);
}

static void say(const char *text) {
    REAL(write)(2, text, strlen(text));
}

/* The error of this call, 0 if it succeeds, -1 for a short write. */
static int fault(const char *what, const char *path, int writes) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
    int error = 0;
    pthread_mutex_lock(&lock);
    calls++;
    if (next_fails && writes) {
        next_fails = 0;
        error = ENOSPC;
    } else if (at && kind && calls == atol(at)) {
        int is_short = strcmp(kind, "short") == 0;
        next_fails = is_short && writes;
        error = next_fails ? -1 : strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EIO;
        char text[4400];
        snprintf(text, sizeof text, "fault %ld %s %s\n", calls, what, path);
        say(text);
        if (strcmp(kind, "kill") == 0) raise(SIGKILL);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

ssize_t write(int file, const void *bytes, size_t count) {
    char path[4096];
    if (path_of(file, path, sizeof path)) {
        int error = fault("write", path, 1);
        if (error > 0) { errno = error; return -1; }
        if (error < 0) count = count / 2 ? count / 2 : 1;
    }
    return REAL(write)(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    char path[4096];
    if (path_of(file, path, sizeof path)) {
        int error = fault("writev", path, 1);
        if (error > 0) { errno = error; return -1; }
        if (error < 0) return REAL(write)(file, parts[0].iov_base, parts[0].iov_len / 2);
    }
    return REAL(writev)(file, parts, count);
}

static ssize_t write_at(int file, const void *bytes, size_t count, off64_t offset) {
    char path[4096];
    if (path_of(file, path, sizeof path)) {
        int error = fault("pwrite", path, 1);
        if (error > 0) { errno = error; return -1; }
        if (error < 0) count = count / 2 ? count / 2 : 1;
    }
    return REAL(pwrite64)(file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return write_at(file, bytes, count, offset); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return write_at(file, bytes, count, offset); }

static int sync_with(int (*real)(int), const char *what, int file) {
    char path[4096];
    struct stat status;
    if (!path_of(file, path, sizeof path)) return real(file);
    fstat(file, &status);
    size_t slot = status.st_ino % FILES;
    int error = fault(what, path, 0);
    if (error) {
        // A shorter file of the same inode is a new one.
        int known = synced[slot].inode == status.st_ino && synced[slot].size <= status.st_size;
        off_t from = known ? synced[slot].size : 0;
        char text[4400];
        snprintf(text, sizeof text, "unsynced %ld %ld %lu %s\n", (long)from, (long)status.st_size,
                 (unsigned long)status.st_ino, path);
        if (S_ISREG(status.st_mode)) {
            say(text);
            // Open until the end, so that no later file gets the inode if this one is removed.
            dup(file);
        }
        errno = error > 0 ? error : EIO;
        return -1;
    }
    int result = real(file);
    if (result == 0) {
        synced[slot].inode = status.st_ino;
        synced[slot].size = status.st_size;
    }
    return result;
}
int fsync(int file) { return sync_with(REAL(fsync), "fsync", file); }
int fdatasync(int file) { return sync_with(REAL(fdatasync), "fdatasync", file); }

static int truncate_to(int file, off64_t size) {
    char path[4096];
    if (path_of(file, path, sizeof path)) {
        int error = fault("ftruncate", path, 0);
        if (error) { errno = error > 0 ? error : EIO; return -1; }
    }
    return REAL(ftruncate64)(file, size);
}
int ftruncate64(int file, off64_t size) { return truncate_to(file, size); }
int ftruncate(int file, off_t size) { return truncate_to(file, size); }

int rename(const char *from, const char *to) {
    if (below(to)) {
        int error = fault("rename", to, 0);
        if (error) { errno = error > 0 ? error : EIO; return -1; }
    }
    return REAL(rename)(from, to);
}

static int open_at(const char *path, int flags, mode_t mode) {
    if ((flags & O_CREAT) && below(path)) {
        int error = fault("open", path, 0);
        if (error) { errno = error > 0 ? error : EIO; return -1; }
    }
    return REAL(open64)(path, flags, mode);
}
#define MODE(flags) mode_t mode = 0; \
    if (flags & O_CREAT) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(path, flags, mode); }
int open(const char *path, int flags, ...) { MODE(flags) return open_at(path, flags, mode); }
