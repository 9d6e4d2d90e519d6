#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule {
    pcre2_code *code;
    pcre2_match_data *data;
};

static struct rule compile_rule(const char *text)
{
    int error;
    PCRE2_SIZE where;
    struct rule rule;
    rule.code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, &error, &where, NULL);
    if (rule.code == NULL) {
        fprintf(stderr, "rule error %d at %zu\n", error, (size_t)where);
        exit(1);
    }
    rule.data = pcre2_match_data_create_from_pattern(rule.code, NULL);
    return rule;
}

static struct rule reference_rule(void)
{
    return compile_rule("^(?:[A-Z]++-?)++\\d+$");
}

static size_t write_subject(char *out, size_t room, unsigned n)
{
    static const char *parts[] = { "INVOICE", "ORDER", "PARCEL", "RETURN", "CLAIM" };
    size_t used = (size_t)snprintf(out, room, "%s-%s", parts[n % 5], parts[(n / 5) % 5]);
    if (n % 8 == 0)
        used += (size_t)snprintf(out + used, room - used, "-%s PENDING", parts[(n / 3) % 5]);
    else
        used += (size_t)snprintf(out + used, room - used, "-%u", n);
    return used;
}

static int is_reference(const struct rule *rule, const char *subject, size_t length)
{
    int found = pcre2_match(rule->code, (PCRE2_SPTR)subject, length, 0, 0, rule->data, NULL);
    return found > 0;
}

int main(int argc, char **argv)
{
    unsigned mails = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    struct rule rule = reference_rule();
    unsigned references = 0;
    size_t bytes = 0;
    for (unsigned n = 0; n < mails; n++) {
        char subject[128];
        size_t length = write_subject(subject, sizeof subject, n);
        bytes += length;
        references += (unsigned)is_reference(&rule, subject, length);
    }
    pcre2_match_data_free(rule.data);
    pcre2_code_free(rule.code);
    printf("mails %u bytes %zu references %u\n", mails, bytes, references);
    return 0;
}
