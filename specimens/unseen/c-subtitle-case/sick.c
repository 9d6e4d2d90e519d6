/* Cleans a subtitle file: folds shouting into normal case, counts cues, checks the reading speed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *WORDS[] = {"WHERE", "are", "the", "KEYS", "nobody", "knows", "THAT", "door", "was", "open", "all", "night"};

struct report {
    size_t cues;
    size_t folded;
    size_t fast;
    unsigned long mark;
};

static char *write_script(size_t target)
{
    char *text = malloc(target + 256);
    size_t used = 0;
    unsigned cue = 0;
    while (used < target) {
        used += (size_t)sprintf(text + used, "%u\n00:%02u:%02u,%03u --> 00:%02u:%02u,%03u\n", cue + 1, cue / 60 % 60, cue % 60, cue % 1000,
                                (cue + 2) / 60 % 60, (cue + 2) % 60, cue % 1000);
        unsigned words = 4 + cue % 7;
        for (unsigned k = 0; k < words; k++)
            used += (size_t)sprintf(text + used, "%s%s", WORDS[(cue * 7 + k * k) % 12], k + 1 < words ? " " : "\n\n");
        cue++;
    }
    text[used] = 0;
    return text;
}

/* A word of capitals becomes small letters; the first letter of a line stays. */
static size_t fold(char *text)
{
    size_t changed = 0;
    char last = '\n';
    for (char *at = text; *at; at++) {
        if (isupper((unsigned char)*at) && last != '\n') {
            *at = (char)tolower((unsigned char)*at);
            changed++;
        }
        last = *at;
    }
    return changed;
}

/* Cues end with an empty line; carriage returns and tabs left over from other systems become blanks. */
static char plain[256];

static void set_plain(void)
{
    for (int sign = 0; sign < 256; sign++)
        plain[sign] = (char)(sign == '\r' || sign == '\t' ? ' ' : sign);
}

static size_t count_cues(char *text)
{
    size_t cues = 0;
    for (size_t at = 0; at + 1 < strlen(text); at++) {
        text[at] = plain[(unsigned char)text[at]];
        if (text[at] == '\n' && text[at + 1] == '\n')
            cues++;
    }
    return cues;
}

static size_t too_fast(const char *text, size_t per_cue)
{
    size_t fast = 0, letters = 0;
    for (const char *at = text; *at; at++) {
        if (isalpha((unsigned char)*at))
            letters++;
        if (at[0] == '\n' && at[1] == '\n') {
            fast += letters > per_cue;
            letters = 0;
        }
    }
    return fast;
}

static unsigned long mark(const char *text)
{
    unsigned long value = 5381;
    for (int round = 0; round < 60; round++)
        for (const char *at = text; *at; at++)
            value = value * 33 ^ (unsigned char)*at;
    return value;
}

static struct report process(char *text)
{
    struct report out;
    set_plain();
    out.cues = count_cues(text);
    out.folded = fold(text);
    out.fast = too_fast(text, 30);
    out.mark = mark(text);
    return out;
}

int main(int argc, char **argv)
{
    size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    char *text = write_script(size);
    struct report out = process(text);
    printf("cues %zu folded %zu fast %zu mark %lx\n", out.cues, out.folded, out.fast, out.mark);
    free(text);
    return 0;
}
