/* Sorts a stream of letters into trays by rules from a file; a changed file is taken up while running. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRAYS 8
#define RULES 24

struct rule {
    uint32_t mask, want;
    int tray;
};

struct rulebook {
    char path[64];
    struct timespec stamp;
    off_t size;
    long loads;
    int count;
    struct rule rules[RULES];
};

struct letter {
    uint32_t sender, subject;
    unsigned char body[96];
};

struct desk {
    struct rulebook book;
    FILE *journal;
    long handled;
    long trays[TRAYS];
    uint32_t seal;
};

static void write_rules(const char *path) {
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(1);
    }
    for (int i = 0; i < RULES; i++)
        fprintf(out, "%x %x %d\n", 0x1fu << (i % 20), (uint32_t)(i * 5 % 31) << (i % 20), i % TRAYS);
    fclose(out);
}

static void load_rules(struct rulebook *book) {
    FILE *in = fopen(book->path, "r");
    book->count = 0;
    while (in && book->count < RULES) {
        struct rule *rule = &book->rules[book->count];
        if (fscanf(in, "%x %x %d", &rule->mask, &rule->want, &rule->tray) != 3)
            break;
        book->count++;
    }
    if (in)
        fclose(in);
    book->loads++;
}

static void refresh(struct rulebook *book) {
    struct stat now;
    if (stat(book->path, &now) != 0)
        return;
    if (now.st_size == book->size && now.st_mtim.tv_sec == book->stamp.tv_sec &&
        now.st_mtim.tv_nsec == book->stamp.tv_nsec)
        return;
    book->size = now.st_size;
    book->stamp = now.st_mtim;
    load_rules(book);
}

static void next_letter(struct letter *letter, uint32_t *seed) {
    for (size_t i = 0; i < sizeof letter->body; i += 4) {
        *seed = *seed * 1664525u + 1013904223u;
        memcpy(letter->body + i, seed, 4);
    }
    letter->sender = *seed >> 7;
    letter->subject = *seed * 2654435761u;
}

static uint32_t print_of(const struct letter *letter) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof letter->body; i++)
        hash = (hash ^ letter->body[i]) * 16777619u;
    return hash ^ letter->subject;
}

static int choose(const struct rulebook *book, const struct letter *letter) {
    for (int i = 0; i < book->count; i++)
        if ((letter->sender & book->rules[i].mask) == book->rules[i].want)
            return book->rules[i].tray;
    return 0;
}

static void handle(struct desk *desk, const struct letter *letter) {
    refresh(&desk->book);
    int tray = choose(&desk->book, letter);
    uint32_t print = print_of(letter);
    desk->handled++;
    desk->trays[tray]++;
    desk->seal = desk->seal * 33u + print;
    if (print % 16 == 0)
        fprintf(desk->journal, "%ld %d %08x\n", desk->handled, tray, print);
}

int main(int argc, char **argv) {
    long letters = argc > 1 ? atol(argv[1]) : 50000;
    static struct desk desk;
    struct letter letter;
    uint32_t seed = 99;

    snprintf(desk.book.path, sizeof desk.book.path, "/tmp/letter-rules-%d", (int)getpid());
    write_rules(desk.book.path);
    desk.journal = tmpfile();
    if (!desk.journal) {
        perror("no journal");
        unlink(desk.book.path);
        return 1;
    }
    for (long i = 0; i < letters; i++) {
        next_letter(&letter, &seed);
        handle(&desk, &letter);
    }
    fclose(desk.journal);
    unlink(desk.book.path);
    printf("loads %ld first %ld last %ld seal %08x\n", desk.book.loads, desk.trays[0], desk.trays[TRAYS - 1], desk.seal);
    return 0;
}
