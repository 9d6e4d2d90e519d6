/* Bramble gates: sheets of an old footpath survey are sorted into drawers by their file names. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 40
#define DRAWERS 5

enum drawer { GATES, LANES, NOTES, PLATES, UNKNOWN };

struct sheet {
    char name[NAME];
    enum drawer drawer;
    uint32_t ink;
};

struct survey {
    struct sheet *sheets;
    uint32_t count;
    uint32_t kept[DRAWERS];
    uint32_t looked;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 22695477u + 1u;
    return *state >> 8;
}

static void spell(char *into, size_t room, uint32_t *state)
{
    static const char *const first[] = {"ash", "thorn", "birk", "hazel", "elder", "sloe", "rowan", "briar"};
    static const char *const second[] = {"ford", "wick", "fell", "holm", "beck", "ley", "gill", "toft"};
    uint32_t kind = draw(state) % 16, number = draw(state) % 100;
    const char *a = first[draw(state) % 8], *b = second[draw(state) % 8];
    if (kind < 5)
        snprintf(into, room, "%s%s-%02u.gate", a, b, number);
    else if (kind < 9)
        snprintf(into, room, "%s%u%s-%02u.lane", a, number % 10, b, number);
    else if (kind < 12)
        snprintf(into, room, "notes-%s-%u.txt", a, number);
    else if (kind < 15)
        snprintf(into, room, "plate%u_%s%s.tif", number, b, a);
    else
        snprintf(into, room, "%s%u%s-%02u.%s", a, number % 10, b, number, number % 3 == 0 ? "lanes" : "bak");
}

static int gather(struct survey *survey, uint32_t count)
{
    uint32_t state = 31337;
    survey->sheets = calloc(count, sizeof *survey->sheets);
    if (!survey->sheets)
        return -1;
    survey->count = count;
    for (uint32_t number = 0; number < count; number++) {
        struct sheet *sheet = &survey->sheets[number];
        spell(sheet->name, sizeof sheet->name, &state);
        sheet->ink = draw(&state) % 5000;
    }
    return 0;
}

static int fits(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, FNM_EXTMATCH | FNM_PERIOD) == 0;
}

static int is_plate(const char *name)
{
    return fits("plate+([0-9])_+([a-z]).tif?(f)", name);
}

static int is_note(const char *name)
{
    return fits("@(notes|remarks)-+([a-z])-*([0-9]).txt", name);
}

static int is_gate(const char *name)
{
    return fits("+([a-z])-[0-9][0-9].gate", name);
}

/* A lane bears a name of letters and digits that begins with a letter. */
static int is_lane(const char *name)
{
    return fits("[a-z]*([a-z0-9])-[0-9][0-9].lane", name);
}

static enum drawer drawer_of(const char *name)
{
    if (is_gate(name))
        return GATES;
    if (is_note(name))
        return NOTES;
    if (is_plate(name))
        return PLATES;
    return is_lane(name) ? LANES : UNKNOWN;
}

static void put_away(struct survey *survey)
{
    for (uint32_t number = 0; number < survey->count; number++) {
        struct sheet *sheet = &survey->sheets[number];
        sheet->drawer = drawer_of(sheet->name);
        survey->kept[sheet->drawer]++;
        survey->looked++;
    }
}

static int by_drawer(const void *left, const void *right)
{
    const struct sheet *a = left, *b = right;
    if (a->drawer != b->drawer)
        return a->drawer < b->drawer ? -1 : 1;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->ink > b->ink) - (a->ink < b->ink);
}

/* The catalogue is in the order of the drawers; its seal covers all names. */
static uint64_t seal(struct survey *survey)
{
    uint64_t sum = 14695981039346656037u;
    qsort(survey->sheets, survey->count, sizeof *survey->sheets, by_drawer);
    for (uint32_t number = 0; number < survey->count; number++) {
        for (const char *letter = survey->sheets[number].name; *letter; letter++)
            sum = (sum ^ (unsigned char)*letter) * 1099511628211u;
        sum ^= survey->sheets[number].ink + (uint64_t)survey->sheets[number].drawer * 8191;
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 200;
    struct survey survey = {0};
    if (gather(&survey, count) != 0)
        return 1;
    put_away(&survey);
    uint64_t sum = seal(&survey);
    printf("%u sheets: %u gates, %u lanes, %u notes, %u plates, %u unknown, seal %016llx\n", survey.looked,
           survey.kept[GATES], survey.kept[LANES], survey.kept[NOTES], survey.kept[PLATES], survey.kept[UNKNOWN],
           (unsigned long long)sum);
    free(survey.sheets);
    return 0;
}
