// Looks layers of slate up in the quarry's survey, a file with the soundings of each shaft one after the other.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

constexpr std::size_t shafts = 24;
constexpr std::size_t soundings = 1 << 18;

struct Sounding {
    std::uint32_t depth;
    std::uint16_t hardness;
    std::uint16_t colour;
};

class Survey {
public:
    explicit Survey(const std::string &path) : handle_(open(path.c_str(), O_RDONLY)) {
        if (handle_ < 0)
            throw std::runtime_error("no survey at " + path);
    }
    ~Survey() {
        close(handle_);
    }

    /// How many soundings of a shaft are at least so hard; every few feet is enough.
    std::size_t layers(std::size_t shaft, std::uint16_t hardness) {
        const std::size_t length = soundings * sizeof(Sounding);
        void *block = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, handle_, static_cast<off_t>(shaft * length));
        if (block == MAP_FAILED)
            throw std::runtime_error("cannot map");
        std::size_t found = count(static_cast<const Sounding *>(block), hardness);
        munmap(block, length);
        return found;
    }

private:
    static std::size_t count(const Sounding *first, std::uint16_t hardness) {
        std::size_t found = 0;
        for (std::size_t at = 0; at < soundings; at += 192)
            found += first[at].hardness >= hardness;
        return found;
    }

    int handle_;
};

void write_survey(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file)
        throw std::runtime_error("cannot write");
    std::uint32_t state = 1770;
    std::vector<Sounding> block(soundings);
    for (std::size_t shaft = 0; shaft < shafts; shaft++) {
        for (Sounding &sounding : block) {
            state = state * 1664525u + 1013904223u;
            sounding = {state >> 12, static_cast<std::uint16_t>(state >> 20), static_cast<std::uint16_t>(state >> 8)};
        }
        std::fwrite(block.data(), sizeof(Sounding), block.size(), file);
    }
    std::fclose(file);
}

/// What the foreman makes of an answer.
std::uint32_t price(std::size_t layers, std::uint32_t order) {
    std::uint32_t value = static_cast<std::uint32_t>(layers) + order;
    for (int year = 0; year < 3000; year++)
        value = value * 69069u + (value >> 11) + 1u;
    return value % 10007;
}

int main(int argc, char **argv) {
    const std::uint32_t orders = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 50;
    char folder[] = "/tmp/slateXXXXXX";
    if (!mkdtemp(folder))
        return 1;
    const std::string path = std::string(folder) + "/survey";
    write_survey(path);
    std::uint64_t sum = 0, layers = 0;
    {
        Survey survey(path);
        std::uint32_t state = 7;
        for (std::uint32_t order = 0; order < orders; order++) {
            state = state * 1103515245u + 12345u;
            const std::size_t found = survey.layers((state >> 16) % shafts, static_cast<std::uint16_t>(2000 + (state >> 8) % 2000));
            layers += found;
            sum += price(found, order);
        }
    }
    unlink(path.c_str());
    rmdir(folder);
    std::cout << orders << " orders, layers " << layers << ", worth " << sum << '\n';
}
