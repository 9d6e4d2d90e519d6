// Turns a forestry survey into one bulletin page: reads the plots, groups them by ward and lays out the text.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct plot {
    unsigned number;
    unsigned ward;
    unsigned trees;
    unsigned height;
    char species[16];
};

struct sheet {
    char *text;
    size_t length;
    size_t room;
};

static const char *const kinds[] = {"oak", "ash", "larch", "rowan", "alder", "hazel", "yew"};

static void sheet_open(struct sheet *sheet)
{
    sheet->room = 4096;
    sheet->length = 0;
    sheet->text = malloc(sheet->room);
    sheet->text[0] = 0;
}

static void sheet_fit(struct sheet *sheet, size_t more)
{
    if (sheet->length + more + 1 <= sheet->room)
        return;
    while (sheet->length + more + 1 > sheet->room)
        sheet->room *= 2;
    sheet->text = realloc(sheet->text, sheet->room);
}

static void sheet_put(struct sheet *sheet, const char *piece)
{
    size_t more = strlen(piece);
    sheet_fit(sheet, more);
    strcat(sheet->text, piece);
    sheet->length += more;
}

static void cell(struct sheet *sheet, const char *name, unsigned value)
{
    char piece[64];
    snprintf(piece, sizeof piece, "<td class=\"%s\">%u</td>", name, value);
    sheet_put(sheet, piece);
}

static void row(struct sheet *sheet, const struct plot *plot)
{
    sheet_put(sheet, "<tr><th>");
    sheet_put(sheet, plot->species);
    sheet_put(sheet, "</th>");
    cell(sheet, "plot", plot->number);
    cell(sheet, "trees", plot->trees);
    cell(sheet, "height", plot->height);
    sheet_put(sheet, "</tr>\n");
}

static int by_ward(const void *left, const void *right)
{
    const struct plot *a = left, *b = right;
    if (a->ward != b->ward)
        return a->ward < b->ward ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int survey(const char *path, unsigned count)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    uint32_t state = 4711;
    for (unsigned number = 0; number < count; number++) {
        state = state * 1103515245u + 12345u;
        fprintf(out, "%u %u %u %u %s\n", number, (state >> 9) % 40, (state >> 14) % 900, 3 + (state >> 25) % 28,
                kinds[(state >> 20) % 7]);
    }
    return fclose(out);
}

static unsigned load(const char *path, struct plot *plots, unsigned most)
{
    FILE *in = fopen(path, "r");
    unsigned count = 0;
    while (in && count < most) {
        struct plot *plot = &plots[count];
        if (fscanf(in, "%u %u %u %u %15s", &plot->number, &plot->ward, &plot->trees, &plot->height, plot->species) != 5)
            break;
        count++;
    }
    if (in)
        fclose(in);
    return count;
}

// Expected timber of a plot, year by year.
static double yield(const struct plot *plot)
{
    double height = plot->height, sum = 0;
    for (int year = 0; year < 400; year++) {
        height += (34.0 - height) * 0.013;
        sum += height * plot->trees * 1e-6;
    }
    return sum;
}

static uint32_t digest(const struct sheet *sheet)
{
    uint32_t sum = 2166136261u;
    for (size_t at = 0; at < sheet->length; at++)
        sum = (sum ^ (unsigned char)sheet->text[at]) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 500;
    const char *folder = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/survey.%d.txt", folder ? folder : "/tmp", (int)getpid());
    struct plot *plots = calloc(count, sizeof *plots);
    if (!plots || survey(path, count))
        return 1;
    count = load(path, plots, count);
    unlink(path);
    qsort(plots, count, sizeof *plots, by_ward);
    struct sheet sheet;
    sheet_open(&sheet);
    double timber = 0;
    for (unsigned at = 0; at < count; at++) {
        timber += yield(&plots[at]);
        row(&sheet, &plots[at]);
    }
    printf("plots %u bytes %zu timber %.3f digest %08x\n", count, sheet.length, timber, digest(&sheet));
    free(sheet.text);
    free(plots);
    return 0;
}
