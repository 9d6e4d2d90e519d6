/* Larder packs: packs the stock lists of a warehouse into blocks, unpacks them again and checks every one. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536
#define SLOTS 16384
#define NEAREST 4

typedef struct {
    int32_t slots[SLOTS];
    uint8_t packed[BLOCK + BLOCK / 8 + 64];
    uint8_t plain[BLOCK + 64];
} Press;

static uint64_t state = 31;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static int write_stock(FILE *out, int blocks)
{
    static const char *goods[] = {"flour", "sugar", "salted butter", "lentils", "black tea", "honey", "rye bread", "oats"};
    static char text[BLOCK + 128];
    for (int n = 0; n < blocks; n++) {
        size_t used = 0;
        while (used < BLOCK)
            used += (size_t)sprintf(text + used, "%s;shelf %u;%u kg;%u\n", goods[draw(8)], draw(40), draw(500), draw(100000));
        if (fwrite(text, 1, BLOCK, out) != BLOCK)
            return -1;
    }
    return 0;
}

static uint32_t word(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t slot(uint32_t value)
{
    return (value * 2654435761u) >> 18;
}

static size_t same(const uint8_t *left, const uint8_t *right, const uint8_t *end)
{
    const uint8_t *begin = right;
    while (right < end && *left == *right) {
        left++;
        right++;
    }
    return (size_t)(right - begin);
}

static uint8_t *put_plain(uint8_t *out, const uint8_t *from, size_t count)
{
    while (count) {
        size_t part = count < 127 ? count : 127;
        *out++ = (uint8_t)part;
        memcpy(out, from, part);
        out += part;
        from += part;
        count -= part;
    }
    return out;
}

static size_t pack(Press *press, const uint8_t *text, size_t size)
{
    const uint8_t *end = text + size, *at = text, *kept = text;
    uint8_t *out = press->packed;
    memset(press->slots, 0xff, sizeof press->slots);
    while (at + NEAREST < end) {
        uint32_t place = slot(word(at));
        int32_t before = press->slots[place];
        press->slots[place] = (int32_t)(at - text);
        size_t length = before >= 0 ? same(text + before, at, end) : 0;
        if (length < NEAREST) {
            at++;
            continue;
        }
        if (length > 130)
            length = 130;
        out = put_plain(out, kept, (size_t)(at - kept));
        size_t back = (size_t)(at - text) - (size_t)before;
        *out++ = (uint8_t)(0x80 | (length - NEAREST));
        *out++ = (uint8_t)back;
        *out++ = (uint8_t)(back >> 8);
        at += length;
        kept = at;
    }
    out = put_plain(out, kept, (size_t)(end - kept));
    return (size_t)(out - press->packed);
}

static size_t unpack(Press *press, size_t size)
{
    const uint8_t *at = press->packed, *end = at + size;
    uint8_t *out = press->plain;
    while (at < end) {
        if (!(*at & 0x80)) {
            memcpy(out, at + 1, *at);
            out += *at;
            at += 1 + *at;
            continue;
        }
        size_t length = (*at & 0x7f) + NEAREST, back = (size_t)at[1] | (size_t)at[2] << 8;
        for (size_t n = 0; n < length; n++, out++)
            *out = out[-(ptrdiff_t)back];
        at += 3;
    }
    return (size_t)(out - press->plain);
}

static uint32_t mark(uint32_t sum, const uint8_t *data, size_t size)
{
    uint32_t low = sum & 0xffff, high = sum >> 16;
    for (size_t n = 0; n < size; n++) {
        low += data[n];
        high += low;
        if ((n & 2047) == 2047) {
            low %= 65521;
            high %= 65521;
        }
    }
    return high % 65521 << 16 | low % 65521;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 200;
    char path[] = "/tmp/larderXXXXXX";
    int handle = mkstemp(path);
    if (handle < 0)
        return 1;
    FILE *stock = fdopen(handle, "w+");
    unlink(path);
    if (write_stock(stock, blocks) < 0)
        return 1;
    rewind(stock);
    Press *press = malloc(sizeof *press);
    uint8_t *text = malloc(BLOCK);
    uint64_t plain = 0, packed = 0;
    uint32_t sum = 1;
    while (fread(text, 1, BLOCK, stock) == BLOCK) {
        size_t size = pack(press, text, BLOCK);
        if (unpack(press, size) != BLOCK || memcmp(press->plain, text, BLOCK) != 0)
            return 2;
        plain += BLOCK;
        packed += size;
        sum = mark(sum, press->packed, size);
    }
    fclose(stock);
    printf("plain %llu packed %llu mark %08x\n", (unsigned long long)plain, (unsigned long long)packed, sum);
    free(text);
    free(press);
    return 0;
}
