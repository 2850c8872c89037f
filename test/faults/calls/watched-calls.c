/*
 * A library that the tests of test/faults load into galaxyd before any other (LD_PRELOAD). It watches the system calls that touch one
 * folder: it counts them, makes one of them fail, and records them. All threads of a process and all of its children share one counter.
 *
 * WATCHED_FOLDER   absolute path of the folder
 * WATCHED_CONTROL  a file of at least sizeof(struct control) bytes, which the test writes and reads while the program runs
 * WATCHED_TRACE    a file that gets a record for each call that had an effect; nothing is recorded without it
 *
 * Instead of an error a call may be made by half, or be left out: it reports success then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The order of WATCHED_CALLS in watched-calls.ts. */
enum call { OPEN, PWRITE, PWRITEV, WRITE, FDATASYNC, FSYNC, MSYNC, FTRUNCATE, RENAME, LINK, UNLINK, MKDIR, RMDIR, SEND, CALLS };

/* In place of an errno. The first writes half of the bytes and reports that; the second does nothing and reports success. */
#define HALF 1000
#define LEFT_OUT 1001

/* The layout of watched-calls.ts: 32-bit numbers. */
struct control {
  /* Bits of the calls that may fail; 0 if none fails. */
  _Atomic uint32_t failing;
  /* The call that fails, from 1, among those that may. */
  _Atomic uint32_t nth;
  /* errno, HALF or LEFT_OUT. */
  _Atomic uint32_t error;
  /* Whether all later calls fail, too. */
  _Atomic uint32_t from_then_on;
  /* Calls that could have failed, and those that did. */
  _Atomic uint32_t counted;
  _Atomic uint32_t failed;
  /* The process that makes a call and its record, so that the trace has the order of the effects; 0 for none. */
  _Atomic uint32_t lock;
  /* Calls by kind, whether or not they may fail. */
  _Atomic uint32_t calls[CALLS];
};

/* Followed by both paths and the bytes that were written. */
struct record {
  uint32_t bytes;
  uint16_t call;
  uint16_t path_bytes;
  uint16_t path2_bytes;
  uint16_t reserved;
  uint32_t open_flags;
  uint64_t inode;
  int64_t offset;
  int64_t result;
};

static struct control *control;
static char folder[PATH_MAX];
static size_t folder_bytes;
static int trace = -1;

/* The system calls behind the functions that this library replaces, so that it needs no other definition of them. */
#define RAW(...) raw_syscall(__VA_ARGS__)
static long (*raw_syscall)(long, ...);

static int is_inside(const char *path) {
  return folder_bytes > 0 && strncmp(path, folder, folder_bytes) == 0 && (path[folder_bytes] == '/' || path[folder_bytes] == '\0');
}

__attribute__((constructor)) static void begin(void) {
  raw_syscall = dlsym(RTLD_NEXT, "syscall");
  const char *watched = getenv("WATCHED_FOLDER");
  const char *control_path = getenv("WATCHED_CONTROL");
  if (!watched || !control_path || strlen(watched) >= sizeof folder) return;
  int fd = (int)RAW(SYS_openat, AT_FDCWD, control_path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  RAW(SYS_close, fd);
  if (mapped == MAP_FAILED) return;
  control = mapped;
  const char *trace_path = getenv("WATCHED_TRACE");
  if (trace_path) {
    fd = (int)RAW(SYS_openat, AT_FDCWD, trace_path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    /* Numbers from 3 on belong to the program: some of its own are checked against the standard ones. */
    trace = (int)RAW(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
    RAW(SYS_close, fd);
  }
  strcpy(folder, watched);
  folder_bytes = strlen(folder);
}

/* A path as the program names it becomes an absolute one. Returns whether it is in the folder. */
static int resolve(int directory, const char *path, char *resolved) {
  if (!control || !path) return 0;
  size_t length = 0;
  if (path[0] != '/') {
    char link[32];
    if (directory == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t read = RAW(SYS_readlink, link, resolved, PATH_MAX - 1);
    if (read < 0) return 0;
    length = (size_t)read;
    resolved[length++] = '/';
  }
  if (length + strlen(path) >= PATH_MAX) return 0;
  strcpy(resolved + length, path);
  return is_inside(resolved);
}

/* The path of an open file. Returns whether it is in the folder. */
static int path_of(int fd, char *path) {
  if (!control) return 0;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t read = RAW(SYS_readlink, link, path, PATH_MAX - 1);
  if (read < 0) return 0;
  path[read] = '\0';
  return is_inside(path);
}

/* Counts a call. Returns 0 if it is to be made, else an errno, HALF or LEFT_OUT. */
static int fault_of(enum call call) {
  atomic_fetch_add(&control->calls[call], 1);
  if (!(atomic_load(&control->failing) & (1u << call))) return 0;
  uint32_t count = atomic_fetch_add(&control->counted, 1) + 1;
  uint32_t nth = atomic_load(&control->nth);
  if (count != nth && !(count > nth && atomic_load(&control->from_then_on))) return 0;
  atomic_fetch_add(&control->failed, 1);
  return (int)atomic_load(&control->error);
}

/* Ends a call that is not made. HALF of a call without bytes does not exist. */
static int ended_by(int fault) {
  if (fault == LEFT_OUT) return 0;
  errno = fault == HALF ? EIO : fault;
  return -1;
}

static void take_lock(void) {
  if (trace < 0) return;
  uint32_t holder = 0;
  while (!atomic_compare_exchange_weak(&control->lock, &holder, (uint32_t)getpid())) {
    /* A process that was killed within a call does not release it: the next try takes it from the dead one. */
    if (holder != 0 && kill((pid_t)holder, 0) != 0 && errno == ESRCH) continue;
    holder = 0;
    sched_yield();
  }
}

static void release_lock(void) {
  if (trace < 0) return;
  int kept = errno;
  atomic_store(&control->lock, 0);
  errno = kept;
}

static void write_record(struct record record, const char *path, const char *path2, const struct iovec *parts, int count, size_t bytes) {
  record.path_bytes = (uint16_t)strlen(path);
  record.path2_bytes = (uint16_t)strlen(path2);
  record.bytes = (uint32_t)(sizeof record + record.path_bytes + record.path2_bytes + bytes);
  char *whole = malloc(record.bytes);
  char *end = whole;
  memcpy(end, &record, sizeof record);
  end += sizeof record;
  memcpy(end, path, record.path_bytes);
  end += record.path_bytes;
  memcpy(end, path2, record.path2_bytes);
  end += record.path2_bytes;
  for (int part = 0; part < count && bytes > 0; part += 1) {
    size_t length = parts[part].iov_len < bytes ? parts[part].iov_len : bytes;
    memcpy(end, parts[part].iov_base, length);
    end += length;
    bytes -= length;
  }
  RAW(SYS_write, trace, whole, record.bytes);
  free(whole);
}

/* Records what was done to an open file. */
static void record_file(enum call call, int fd, const char *path, int64_t offset, long result, const struct iovec *parts, int count) {
  if (trace < 0 || result < 0) return;
  int kept = errno;
  struct stat status = {0};
  RAW(SYS_fstat, fd, &status);
  struct record record = {.call = call, .offset = offset, .result = result, .inode = status.st_ino};
  record.open_flags = (uint32_t)RAW(SYS_fcntl, fd, F_GETFL);
  write_record(record, path, "", parts, count, count > 0 ? (size_t)result : 0);
  errno = kept;
}

/* Records a change of names. */
static void record_names(enum call call, const char *path, const char *path2, long result) {
  if (trace < 0 || result < 0) return;
  int kept = errno;
  struct stat status = {0};
  RAW(SYS_newfstatat, AT_FDCWD, path2[0] ? path2 : path, &status, AT_SYMLINK_NOFOLLOW);
  write_record((struct record){.call = call, .result = result, .inode = status.st_ino}, path, path2, NULL, 0, 0);
  errno = kept;
}

static size_t total(const struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int part = 0; part < count; part += 1) bytes += parts[part].iov_len;
  return bytes;
}

/* Writes the first half of the bytes, at least one, in one call. */
static long write_half(int fd, const struct iovec *parts, int count, int64_t offset) {
  size_t bytes = (total(parts, count) + 1) / 2;
  char *half = malloc(bytes + 1);
  size_t filled = 0;
  for (int part = 0; part < count && filled < bytes; part += 1) {
    size_t length = parts[part].iov_len < bytes - filled ? parts[part].iov_len : bytes - filled;
    memcpy(half + filled, parts[part].iov_base, length);
    filled += length;
  }
  long result = offset < 0 ? RAW(SYS_write, fd, half, bytes) : RAW(SYS_pwrite64, fd, half, bytes, offset);
  free(half);
  return result;
}

/* Any write. `offset` is negative if it is at the position of the file. */
static ssize_t watched_write(enum call call, int fd, const struct iovec *parts, int count, int64_t offset) {
  char path[PATH_MAX];
  int is_watched = path_of(fd, path);
  struct stat status;
  int is_socket = 0;
  if (control && !is_watched && trace >= 0) is_socket = RAW(SYS_fstat, fd, &status) == 0 && S_ISSOCK(status.st_mode);
  if (is_socket) {
    take_lock();
    long result = RAW(SYS_writev, fd, parts, count);
    record_file(SEND, fd, "", 0, result, parts, count);
    release_lock();
    return result;
  }
  if (!is_watched) {
    return offset < 0 ? RAW(SYS_writev, fd, parts, count) : RAW(SYS_pwritev, fd, parts, count, offset, 0L);
  }
  int fault = fault_of(call);
  if (fault == LEFT_OUT) return (ssize_t)total(parts, count);
  if (fault != 0 && fault != HALF) return ended_by(fault);
  take_lock();
  int64_t start = offset;
  if (start < 0) {
    int appends = (RAW(SYS_fcntl, fd, F_GETFL) & O_APPEND) != 0;
    start = RAW(SYS_lseek, fd, 0L, appends ? SEEK_END : SEEK_CUR);
  }
  long result;
  if (fault == HALF) result = write_half(fd, parts, count, offset);
  else result = offset < 0 ? RAW(SYS_writev, fd, parts, count) : RAW(SYS_pwritev, fd, parts, count, offset, 0L);
  record_file(call, fd, path, start, result, parts, count);
  release_lock();
  return result;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  return watched_write(WRITE, fd, &part, 1, -1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) { return watched_write(WRITE, fd, parts, count, -1); }

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  struct iovec part = {(void *)bytes, count};
  return watched_write(PWRITE, fd, &part, 1, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return watched_write(PWRITEV, fd, parts, count, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return pwritev64(fd, parts, count, offset); }

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  if (!control || trace < 0) return RAW(SYS_sendto, fd, bytes, count, flags, NULL, 0);
  struct iovec part = {(void *)bytes, count};
  take_lock();
  long result = RAW(SYS_sendto, fd, bytes, count, flags, NULL, 0);
  record_file(SEND, fd, "", 0, result, &part, 1);
  release_lock();
  return result;
}

/* A call on an open file without bytes. */
static int watched_call(enum call call, int fd, long number, int64_t offset) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return (int)RAW(number, fd, offset);
  int fault = fault_of(call);
  if (fault != 0) return ended_by(fault);
  take_lock();
  int result = (int)RAW(number, fd, offset);
  record_file(call, fd, path, offset, result, NULL, 0);
  release_lock();
  return result;
}

int fdatasync(int fd) { return watched_call(FDATASYNC, fd, SYS_fdatasync, 0); }
int fsync(int fd) { return watched_call(FSYNC, fd, SYS_fsync, 0); }
int ftruncate64(int fd, off64_t length) { return watched_call(FTRUNCATE, fd, SYS_ftruncate, length); }
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int msync(void *start, size_t length, int flags) {
  int fault = control ? fault_of(MSYNC) : 0;
  if (fault != 0) return ended_by(fault);
  return (int)RAW(SYS_msync, start, length, flags);
}

static int watched_open(int directory, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (!resolve(directory, name, path)) return (int)RAW(SYS_openat, directory, name, flags, mode);
  int fault = fault_of(OPEN);
  /* A file that is not opened has no descriptor. */
  if (fault != 0) return fault == LEFT_OUT ? ended_by(EIO) : ended_by(fault);
  if (!(flags & (O_CREAT | O_TRUNC))) return (int)RAW(SYS_openat, directory, name, flags, mode);
  take_lock();
  int fd = (int)RAW(SYS_openat, directory, name, flags, mode);
  record_file(OPEN, fd, path, flags & O_TRUNC ? 1 : 0, fd, NULL, 0);
  release_lock();
  return fd;
}

#define OPEN_FUNCTION(name, parameters, directory)               \
  int name parameters {                                          \
    mode_t mode = 0;                                             \
    if (flags & (O_CREAT | O_TMPFILE)) {                         \
      va_list rest;                                              \
      va_start(rest, flags);                                     \
      mode = va_arg(rest, mode_t);                               \
      va_end(rest);                                              \
    }                                                            \
    return watched_open(directory, path, flags, mode);           \
  }
OPEN_FUNCTION(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(openat, (int fd, const char *path, int flags, ...), fd)
OPEN_FUNCTION(openat64, (int fd, const char *path, int flags, ...), fd)

/* A change of one or two names. `number` and its arguments are those of the system call. */
#define NAME_CALL(call, from_directory, from, to_directory, to, ...)         \
  do {                                                                      \
    char path[PATH_MAX] = "";                                               \
    char path2[PATH_MAX] = "";                                              \
    int is_watched = resolve(from_directory, from, path);                   \
    is_watched |= resolve(to_directory, to, path2);                         \
    if (!is_watched) return (int)RAW(__VA_ARGS__);                          \
    int fault = fault_of(call);                                             \
    if (fault != 0) return ended_by(fault);                                 \
    take_lock();                                                            \
    int result = (int)RAW(__VA_ARGS__);                                     \
    record_names(call, path, path2, result);                                \
    release_lock();                                                         \
    return result;                                                          \
  } while (0)
#define NONE ((const char *)NULL)

int rename(const char *from, const char *to) {
  NAME_CALL(RENAME, AT_FDCWD, from, AT_FDCWD, to, SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_fd, const char *from, int to_fd, const char *to) {
  NAME_CALL(RENAME, from_fd, from, to_fd, to, SYS_renameat2, from_fd, from, to_fd, to, 0);
}
int link(const char *from, const char *to) {
  NAME_CALL(LINK, AT_FDCWD, from, AT_FDCWD, to, SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char *name) { NAME_CALL(UNLINK, AT_FDCWD, name, AT_FDCWD, NONE, SYS_unlinkat, AT_FDCWD, name, 0); }
int rmdir(const char *name) { NAME_CALL(RMDIR, AT_FDCWD, name, AT_FDCWD, NONE, SYS_unlinkat, AT_FDCWD, name, AT_REMOVEDIR); }
int unlinkat(int fd, const char *name, int flags) {
  NAME_CALL((flags & AT_REMOVEDIR ? RMDIR : UNLINK), fd, name, AT_FDCWD, NONE, SYS_unlinkat, fd, name, flags);
}
int mkdir(const char *name, mode_t mode) { NAME_CALL(MKDIR, AT_FDCWD, name, AT_FDCWD, NONE, SYS_mkdirat, AT_FDCWD, name, mode); }
int mkdirat(int fd, const char *name, mode_t mode) {
  NAME_CALL(MKDIR, fd, name, AT_FDCWD, NONE, SYS_mkdirat, fd, name, mode);
}
