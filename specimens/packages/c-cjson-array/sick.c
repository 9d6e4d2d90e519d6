/* Adds up the readings of a JSON document. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *document(int readings)
{
    char *text = malloc(32 * (size_t)readings + 16), *end = text;
    end += sprintf(end, "[");
    for (int at = 0; at < readings; at++) {
        end += sprintf(end, "%s{\"t\":%d,\"v\":%d}", at ? "," : "", at, at % 113);
    }
    strcpy(end, "]");
    return text;
}

static long total(const cJSON *readings)
{
    long total = 0;
    int count = cJSON_GetArraySize(readings);
    for (int at = 0; at < count; at++) {
        const cJSON *reading = cJSON_GetArrayItem(readings, at);
        total += cJSON_GetObjectItem(reading, "v")->valueint;
    }
    return total;
}

int main(int count, char **words)
{
    char *text = document(count > 1 ? atoi(words[1]) : 1000);
    cJSON *readings = cJSON_Parse(text);
    printf("%ld\n", total(readings));
    cJSON_Delete(readings);
    free(text);
    return 0;
}
