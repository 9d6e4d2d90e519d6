/* Makes a token for each visitor and counts those that go to the first shard. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char KEY[] = "a key of the shop";
static EVP_MAC_CTX *mac;

static void token(const char *visitor, unsigned char *out)
{
    size_t length = 0;
    EVP_MAC_init(mac, NULL, 0, NULL);
    EVP_MAC_update(mac, (const unsigned char *)visitor, strlen(visitor));
    EVP_MAC_final(mac, out, &length, EVP_MAX_MD_SIZE);
}

int main(int count, char **words)
{
    int visitors = count > 1 ? atoi(words[1]) : 1000, first = 0;
    OSSL_PARAM digest[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0), OSSL_PARAM_construct_end()};
    mac = EVP_MAC_CTX_new(EVP_MAC_fetch(NULL, "HMAC", NULL));
    EVP_MAC_init(mac, KEY, sizeof KEY - 1, digest);
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
