/* Faults of the file system, injected for real: preloaded (LD_PRELOAD), it counts the calls of the
 * program that write to files below FAULT_FOLDER, and the FAULT_AT-th of them
 *   fail   does nothing and returns -1 with errno FAULT_ERRNO (a number; 5 is EIO, 28 ENOSPC)
 *   full   as fail, and every later call that needs room does so too: a disk that is full
 *   tear   of a write: half of the bytes are written, the next write fails with FAULT_ERRNO
 *   kill   the process is gone before the call, as by kill -9; of a write: after half of its bytes
 * With FAULT_COUNT=FILE the number of calls is written there when the program ends, and which they
 * were. Children that the program starts count for themselves, unless FAULT_PROCESS names another
 * word of the command line than theirs: only processes whose words have it are touched. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready = 0, active = 0, tearing = 0, full = 0;
static long count = 0, at = 0;
static int code = EIO;
static const char *kind = "", *folder = "", *count_file = NULL;
static char log_text[1 << 20];
static size_t log_size = 0;

static int of_this_process(const char *word) {
  char words[1 << 14];
  int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
  ssize_t size = syscall(SYS_read, file, words, sizeof words - 1);
  syscall(SYS_close, file);
  for (ssize_t i = 0; i < size; i += (ssize_t)strlen(words + i) + 1)
    if (words[size] = 0, strcmp(words + i, word) == 0) return 1;
  return 0;
}

static void prepare(void) {
  if (ready) return;
  ready = 1;
  const char *text = getenv("FAULT_FOLDER");
  if (text == NULL) return;
  folder = text;
  if ((text = getenv("FAULT_PROCESS")) != NULL && !of_this_process(text)) return;
  active = 1;
  if ((text = getenv("FAULT_AT")) != NULL) at = atol(text);
  if ((text = getenv("FAULT_KIND")) != NULL) kind = text;
  if ((text = getenv("FAULT_ERRNO")) != NULL) code = atoi(text);
  count_file = getenv("FAULT_COUNT");
}

static int below_folder(const char *path) {
  char whole[PATH_MAX];
  if (path[0] != '/') {
    if (syscall(SYS_getcwd, whole, sizeof whole) < 0) return 0;
    strncat(whole, "/", sizeof whole - strlen(whole) - 1);
    strncat(whole, path, sizeof whole - strlen(whole) - 1);
    path = whole;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int of_folder(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return 0;
  path[size] = 0;
  return below_folder(path);
}

static void end_now(void) {
  syscall(SYS_exit_group, 137);
}

/* Counts the call; 0: do it, -1: fail with errno, 1: the call of `tear` or `kill` */
static int faulty(const char *name, int needs_room) {
  int result = 0;
  pthread_mutex_lock(&mutex);
  ++count;
  if (count_file != NULL && log_size + 64 < sizeof log_text)
    log_size += (size_t)snprintf(log_text + log_size, 64, "%ld %s\n", count, name);
  if (tearing && strcmp(name, "write") == 0) {
    tearing = 0;
    errno = code;
    result = -1;
  } else if (full && needs_room) {
    errno = code;
    result = -1;
  } else if (count == at) {
    if (strcmp(kind, "kill") == 0 && strcmp(name, "write") != 0) end_now();
    if (strcmp(kind, "kill") == 0 || (strcmp(kind, "tear") == 0 && strcmp(name, "write") == 0))
      result = 1;
    else {
      full = strcmp(kind, "full") == 0;
      errno = code;
      result = full && !needs_room ? 0 : -1;
    }
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__) = NULL; \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name); \
  prepare()

static ssize_t write_half(ssize_t (*real)(int, const void *, size_t), int file, const void *bytes,
                          size_t size) {
  ssize_t written = real(file, bytes, size / 2);
  if (strcmp(kind, "kill") == 0) end_now();
  tearing = 1;
  if (size / 2 == 0) {
    tearing = 0;
    errno = code;
    return -1;
  }
  return written;
}

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (!active || file <= 2 || !of_folder(file)) return real(file, bytes, size);
  int fault = faulty("write", 1);
  if (fault < 0) return -1;
  return fault == 0 ? real(file, bytes, size) : write_half(real, file, bytes, size);
}

ssize_t writev(int file, const struct iovec *parts, int number) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  if (!active || file <= 2 || !of_folder(file)) return real(file, parts, number);
  int fault = faulty("write", 1);
  if (fault < 0) return -1;
  if (fault > 0) {
    real(file, parts, 1);
    if (strcmp(kind, "kill") == 0) end_now();
    errno = code;
    return -1;
  }
  return real(file, parts, number);
}

#define ON_DESCRIPTOR(name, room) \
  int name(int file) { \
    REAL(int, #name, int); \
    if (!active || file <= 2 || !of_folder(file)) return real(file); \
    return faulty(#name, room) < 0 ? -1 : real(file); \
  }
ON_DESCRIPTOR(fsync, 1)
ON_DESCRIPTOR(fdatasync, 1)

int ftruncate64(int file, off64_t size) {
  REAL(int, "ftruncate64", int, off64_t);
  if (!active || !of_folder(file)) return real(file, size);
  return faulty("ftruncate", 0) < 0 ? -1 : real(file, size);
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if (!active || !below_folder(to)) return real(from, to);
  return faulty("rename", 0) < 0 ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  if (!active || !below_folder(path)) return real(path, mode);
  return faulty("mkdir", 1) < 0 ? -1 : real(path, mode);
}

/* A file is closed all the same; the error is one of what was written before. */
int close(int file) {
  REAL(int, "close", int);
  if (!active || file <= 2 || !of_folder(file) ||
      (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
    return real(file);
  int fault = faulty("close", 0);
  int error = errno;
  int result = real(file);
  if (fault >= 0) return result;
  errno = error;
  return -1;
}

static int opens_to_write(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t)va_arg(more, int) : 0; \
    va_end(more); \
    REAL(int, #name, const char *, int, ...); \
    if (!active || !opens_to_write(flags) || !below_folder(path)) return real(path, flags, mode); \
    return faulty("open", 1) < 0 ? -1 : real(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)

FILE *fopen64(const char *path, const char *mode) {
  REAL(FILE *, "fopen64", const char *, const char *);
  if (!active || mode[0] == 'r' || !below_folder(path)) return real(path, mode);
  return faulty("open", 1) < 0 ? NULL : real(path, mode);
}
FILE *fopen(const char *path, const char *mode) { return fopen64(path, mode); }

__attribute__((destructor)) static void tell_count(void) {
  if (count_file == NULL || !active) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char head[32];
  int size = snprintf(head, sizeof head, "%ld\n", count);
  syscall(SYS_write, file, head, (size_t)size);
  syscall(SYS_write, file, log_text, log_size);
  syscall(SYS_close, file);
}
