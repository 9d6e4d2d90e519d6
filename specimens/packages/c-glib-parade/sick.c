/* Lines up the floats of a parade in the order of their arrival, and walks along to find the gaps. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    unsigned number;
    unsigned metres;
};

static struct entry *arrive(unsigned number)
{
    struct entry *entry = g_new(struct entry, 1);
    entry->number = number;
    entry->metres = 4 + number * 2654435761u % 23;
    return entry;
}

static GList *line_up(unsigned count)
{
    GList *parade = NULL;
    for (unsigned number = 0; number < count; number++)
        parade = g_list_append(parade, arrive(number));
    return parade;
}

static unsigned long length_of(GList *parade)
{
    unsigned long metres = 0;
    for (GList *at = parade; at != NULL; at = at->next)
        metres += ((struct entry *)at->data)->metres + 2;
    return metres;
}

static unsigned longest_after(GList *parade, unsigned metres)
{
    unsigned found = 0;
    for (GList *at = parade; at != NULL && at->next != NULL; at = at->next) {
        struct entry *here = at->data, *behind = at->next->data;
        if (here->metres > metres && behind->metres > metres)
            found++;
    }
    return found;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    GList *parade = line_up((unsigned)strtoul(argv[1], NULL, 10));
    printf("%lu %u\n", length_of(parade), longest_after(parade, 20));
    g_list_free_full(parade, g_free);
    return 0;
}
