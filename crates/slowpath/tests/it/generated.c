/* Runs code that no file holds, as just-in-time compilers do. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
/* Counts a register down to zero: dec rdi; jnz; ret. */
static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#elif defined(__aarch64__)
/* subs x0, x0, 1; b.ne; ret. */
static const unsigned char code[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

int main(void)
{
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    __builtin___clear_cache(page, (char *)page + sizeof code);
    for (int i = 0; i < 300; i++)
        ((void (*)(unsigned long))page)(3000000);
    return 0;
}
