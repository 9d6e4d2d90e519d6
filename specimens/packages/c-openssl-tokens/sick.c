/* Makes a token for each visitor and counts those that go to the first shard. */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char KEY[] = "a key of the shop";

static void token(const char *visitor, unsigned char *out)
{
    unsigned int length = 0;
    HMAC(EVP_sha256(), KEY, sizeof KEY - 1, (const unsigned char *)visitor, strlen(visitor), out, &length);
}

int main(int count, char **words)
{
    int visitors = count > 1 ? atoi(words[1]) : 1000, first = 0;
    for (int at = 0; at < visitors; at++) {
        char visitor[32];
        unsigned char out[EVP_MAX_MD_SIZE];
        snprintf(visitor, sizeof visitor, "visitor-%d", at);
        token(visitor, out);
        first += out[0] < 16;
    }
    printf("%d\n", first);
    return 0;
}
