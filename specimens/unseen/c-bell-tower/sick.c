/* Reads a ringers' score (bell and beat on each line) and checks the peal. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BELLS 12

struct score {
    int fd;
    int at_end;
};

struct peal {
    long strokes[BELLS];
    long swaps;
    int last;
    uint32_t weave;
};

static int write_score(long strokes) {
    FILE *out = tmpfile();
    uint32_t seed = 4711;
    if (!out) {
        perror("no temporary file");
        exit(1);
    }
    for (long i = 0; i < strokes; i++) {
        seed = seed * 1103515245u + 12345u;
        fprintf(out, "%u %u\n", (seed >> 16) % BELLS, (seed >> 8) % 64);
    }
    fflush(out);
    lseek(fileno(out), 0, SEEK_SET);
    return fileno(out);
}

static int next_byte(struct score *score) {
    unsigned char byte;
    if (read(score->fd, &byte, 1) != 1) {
        score->at_end = 1;
        return -1;
    }
    return byte;
}

static int next_word(struct score *score, char *word, size_t size) {
    size_t length = 0;
    int byte = next_byte(score);
    while (byte == ' ' || byte == '\n')
        byte = next_byte(score);
    while (byte > ' ' && length + 1 < size) {
        word[length++] = (char)byte;
        byte = next_byte(score);
    }
    word[length] = '\0';
    return length > 0;
}

static void strike(struct peal *peal, int bell, int beat) {
    peal->strokes[bell]++;
    if (bell < peal->last)
        peal->swaps++;
    peal->last = bell;
    for (int echo = 0; echo < 8; echo++)
        peal->weave = (peal->weave ^ (uint32_t)(beat + echo)) * 16777619u;
}

static void ring_all(struct score *score, struct peal *peal) {
    char bell[16], beat[16];
    while (!score->at_end) {
        if (!next_word(score, bell, sizeof bell) || !next_word(score, beat, sizeof beat))
            break;
        strike(peal, atoi(bell) % BELLS, atoi(beat));
    }
}

int main(int argc, char **argv) {
    long strokes = argc > 1 ? atol(argv[1]) : 10000;
    static struct score score;
    struct peal peal;

    memset(&peal, 0, sizeof peal);
    score.fd = write_score(strokes);
    ring_all(&score, &peal);
    close(score.fd);
    printf("tenor %ld treble %ld swaps %ld weave %08x\n", peal.strokes[BELLS - 1], peal.strokes[0], peal.swaps,
           peal.weave);
    return 0;
}
