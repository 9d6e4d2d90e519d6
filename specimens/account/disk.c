/* Reads that miss the page cache, writes that wait for the disk, pages fetched on touch. Files lie in $SLOWPATH_DIR. */
#include "truth.h"

enum { SIZE = 16 << 20, BLOCK = 16 << 10 };

/* A file on the disk and in no cache; its name is gone at once. */
static int fresh_file(struct mark *at, int flags) {
    const char *folder = getenv("SLOWPATH_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/specimen-%d", folder ? folder : ".", gettid());
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) give_up(path);
    static char block[1 << 20];
    memset(block, 7, sizeof block);
    for (int i = 0; i < SIZE / (1 << 20); i++)
        if (write(file, block, sizeof block) != sizeof block) give_up("write");
    if (fsync(file)) give_up("fsync");
    int reader = open(path, O_RDWR | O_CLOEXEC | flags);
    if (reader < 0) give_up("open");
    unlink(path);
    close(file);
    phase(at, "blocked/disk-write");
    return reader;
}

static void forget(int file, struct mark *at) {
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
    phase(at, "on-cpu/kernel");
}

static void read_for(double seconds, int flags) {
    struct mark at = mark();
    int file = fresh_file(&at, flags);
    void *block;
    if (posix_memalign(&block, 4096, BLOCK)) give_up("memory");
    for (double end = at.wall + seconds; at.wall < end;) {
        if (!flags) forget(file, &at);
        for (off_t i = 0; i < SIZE; i += BLOCK)
            if (pread(file, block, BLOCK, i) != BLOCK) give_up("pread");
        phase(&at, "blocked/disk-read");
    }
}

static void direct(double seconds) { read_for(seconds, O_DIRECT); }

static void buffered(double seconds) { read_for(seconds, 0); }

/* One small record, one fsync. */
static void records(double seconds) {
    struct mark at = mark();
    int file = fresh_file(&at, 0);
    char record[128] = {0};
    for (double end = at.wall + seconds; at.wall < end;) {
        if (write(file, record, sizeof record) != sizeof record || fsync(file)) give_up("record");
        phase(&at, "blocked/disk-write");
    }
}

static void fault(double seconds) {
    struct mark at = mark();
    int file = fresh_file(&at, 0);
    for (double end = at.wall + seconds; at.wall < end;) {
        forget(file, &at);
        volatile char *pages = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, file, 0);
        if (pages == MAP_FAILED) give_up("mmap");
        madvise((void *)pages, SIZE, MADV_RANDOM);
        for (size_t i = 0; i < SIZE; i += BLOCK) (void)pages[i];
        phase(&at, "blocked/fault");
        munmap((void *)pages, SIZE);
        phase(&at, "on-cpu/kernel");
    }
}

static const char *const names[] = {"direct", "buffered", "records", "fault"};
static specimen *const modes[] = {direct, buffered, records, fault};
MAIN(names, modes)
