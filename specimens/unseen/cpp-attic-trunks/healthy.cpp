// Attic trunks: an archive of fixed records on disk, read past the page cache as databases do, in the order of the inventory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

constexpr size_t record_size = 4096;
constexpr size_t block_records = 256;

struct Freed {
    void operator()(void *memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<unsigned char, Freed>;

static Buffer aligned(size_t size)
{
    void *memory = nullptr;
    if (posix_memalign(&memory, record_size, size) != 0)
        throw std::bad_alloc();
    return Buffer(static_cast<unsigned char *>(memory));
}

static uint32_t mix(uint32_t value)
{
    value = (value ^ (value >> 16)) * 0x7feb352du;
    return (value ^ (value >> 15)) * 0x846ca68bu;
}

class Archive {
public:
    explicit Archive(size_t records) : records(records)
    {
        char name[] = "attic-XXXXXX";
        handle = mkostemp(name, O_DIRECT);
        if (handle < 0)
            throw std::runtime_error("no scratch file");
        unlink(name);
        fill();
    }
    ~Archive() { close(handle); }

    uint32_t inventory(const std::vector<uint32_t> &wanted)
    {
        std::vector<uint32_t> labels(records);
        Buffer buffer = aligned(record_size * block_records);
        for (size_t first = 0; first < records; first += block_records) {
            size_t count = std::min(block_records, records - first);
            const unsigned char *block = fetch(first, count, buffer.get());
            for (size_t place = 0; place < count; ++place)
                labels[first + place] = label(block + place * record_size);
        }
        uint32_t sum = 0;
        for (uint32_t number : wanted)
            sum = sum * 31 + labels[number];
        return sum;
    }

private:
    void fill()
    {
        Buffer buffer = aligned(record_size * block_records);
        for (size_t first = 0; first < records; first += block_records) {
            size_t count = std::min(block_records, records - first);
            for (size_t place = 0; place < count; ++place)
                std::memset(buffer.get() + place * record_size, static_cast<int>(mix(static_cast<uint32_t>(first + place)) & 255), record_size);
            if (pwrite(handle, buffer.get(), count * record_size, static_cast<off_t>(first * record_size)) < 0)
                throw std::runtime_error("cannot write");
        }
    }

    const unsigned char *fetch(size_t first, size_t count, unsigned char *buffer) const
    {
        ssize_t size = static_cast<ssize_t>(count * record_size);
        if (pread(handle, buffer, count * record_size, static_cast<off_t>(first * record_size)) != size)
            throw std::runtime_error("cannot read");
        return buffer;
    }

    static uint32_t label(const unsigned char *record)
    {
        uint32_t sum = 2166136261u;
        for (size_t place = 0; place < record_size; place += 8)
            sum = (sum ^ record[place]) * 16777619u;
        return sum;
    }

    size_t records;
    int handle = -1;
};

int main(int argc, char **argv)
{
    size_t records = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    try {
        Archive archive(records);
        std::vector<uint32_t> wanted(records);
        std::iota(wanted.begin(), wanted.end(), 0u);
        for (size_t place = records - 1; place > 0; --place)
            std::swap(wanted[place], wanted[mix(static_cast<uint32_t>(place)) % (place + 1)]);
        std::printf("%zu trunks, label %08x\n", records, archive.inventory(wanted));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
