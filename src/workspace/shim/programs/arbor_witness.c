/* SPDX-License-Identifier: Apache-2.0 */
/* libarbor_witness.so: preloaded into one untimed launch, it notes what each process was started
   with. It must never disturb its host: no allocation, no output, no change of errno, and silence
   where anything fails. docs/formats/shim.md describes the file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char** environ;

#define ARBOR_RECORD_FOLDER "/run/arbor/record"
enum { kMaxSerial = 1000, kDigits = 20, kRecordPlace = 3 };

static void put(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, bytes, size);
    if (written <= 0) {
      if (written < 0 && errno == EINTR) continue;
      return;
    }
    bytes += written;
    size -= (size_t)written;
  }
}

/* With its terminating zero, which separates the fields. */
static void put_field(int fd, const char* text) { put(fd, text, strlen(text) + 1); }

static char* append_number(char* end, unsigned long number) {
  char digits[kDigits];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) *end++ = digits[--count];
  *end = 0;
  return end;
}

/* Where nothing is mounted ARBOR_PLACES says where the folder is: fields between colons. */
static size_t find_record_folder(char* path, size_t most) {
  const char* text = getenv("ARBOR_PLACES");
  for (int i = 0; text != NULL && i < kRecordPlace; ++i) {
    text = strchr(text, ':');
    if (text != NULL) ++text;
  }
  const char* folder = text == NULL ? ARBOR_RECORD_FOLDER : text;
  const size_t size = strcspn(folder, ":");
  if (size >= most) return 0;
  memcpy(path, folder, size);
  return size;
}

/* A process that executes again keeps its pid: the next free serial is taken. */
static int open_record(void) {
  static const char kName[] = "/witness.";
  char path[PATH_MAX];
  const size_t size = find_record_folder(path, sizeof path - sizeof kName - 2 * kDigits - 2);
  if (size == 0) return -1;
  memcpy(path + size, kName, sizeof kName);
  char* end = append_number(path + size + sizeof kName - 1, (unsigned long)getpid());
  *end++ = '.';
  for (unsigned long serial = 1; serial <= kMaxSerial; ++serial) {
    append_number(end, serial);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static void put_executable(int fd) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  put_field(fd, "exe");
  put_field(fd, path);
}

static void put_maps(int fd) {
  char buffer[4096];
  put_field(fd, "maps");
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  ssize_t got;
  while ((got = read(maps, buffer, sizeof buffer)) > 0) put(fd, buffer, (size_t)got);
  close(maps);
}

__attribute__((constructor)) static void testify(void) {
  const int saved_errno = errno;
  const int fd = open_record();
  if (fd >= 0) {
    put_field(fd, "arbor-witness 1");
    put_executable(fd);
    for (char** each = environ; each != NULL && *each != NULL; ++each) {
      put_field(fd, "env");
      put_field(fd, *each);
    }
    put_maps(fd);
    close(fd);
  }
  errno = saved_errno;
}
