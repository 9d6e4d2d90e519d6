// Reads the records of the town gates from a file and tells which carts passed most often.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unistd.h>

namespace gates {

struct Closer {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

void write_records(std::FILE *file, unsigned count) {
    static const char *const kGates[] = {"north", "south", "river", "mill", "abbey"};
    std::uint32_t state = 77;
    for (unsigned number = 0; number < count; ++number) {
        state = state * 1664525u + 1013904223u;
        unsigned cart = (state >> 9) % 6000;
        cart = cart * cart / 6000;
        std::fprintf(file, "%02u:%02u %s cart-%u %u\n", number / 60 % 24, number % 60, kGates[(state >> 5) % 5], cart,
                     (state >> 3) % 40);
    }
    std::fflush(file);
    std::rewind(file);
}


class Book {
  public:
    Book() { carts_.reserve(12000); }

    void line(std::string_view text) {
        std::string_view time = word(text);
        std::string_view gate = word(text);
        std::string_view cart = word(text);
        unsigned toll = 0;
        for (char digit : text)
            toll = toll * 10 + static_cast<unsigned>(digit - '0');
        hours_[(time[0] - '0') * 10 + (time[1] - '0')] += toll;
        gates_ += gate.size();
        key_.assign(cart);
        Cart &known = carts_[key_];
        known.passed++;
        known.toll += toll;
    }

    std::vector<std::pair<std::string, unsigned>> busiest(std::size_t count) const {
        std::vector<std::pair<std::string, unsigned>> list;
        list.reserve(carts_.size());
        for (const auto &[name, cart] : carts_)
            list.emplace_back(name, cart.passed);
        count = std::min(count, list.size());
        std::partial_sort(list.begin(), list.begin() + static_cast<long>(count), list.end(),
                          [](const auto &one, const auto &other) {
                              return one.second != other.second ? one.second > other.second : one.first < other.first;
                          });
        list.resize(count);
        return list;
    }

    std::uint64_t sum() const {
        std::uint64_t sum = gates_;
        for (std::uint64_t hour : hours_)
            sum = sum * 131 + hour;
        return sum;
    }

  private:
    struct Cart {
        unsigned passed = 0;
        std::uint64_t toll = 0;
    };

    static std::string_view word(std::string_view &text) {
        std::size_t end = text.find(' ');
        std::string_view found = text.substr(0, end);
        text.remove_prefix(end + 1);
        return found;
    }

    std::unordered_map<std::string, Cart> carts_;
    std::string key_;
    std::uint64_t hours_[24] = {};
    std::uint64_t gates_ = 0;
};

// Hands out the lines of a file, read in blocks; the rest of a block is carried to the next.
void read_lines(std::FILE *file, Book &book) {
    std::vector<char> block(1 << 20);
    std::size_t kept = 0;
    for (;;) {
        std::size_t got = std::fread(block.data() + kept, 1, block.size() - kept, file);
        if (got == 0)
            break;
        std::string_view text(block.data(), kept + got);
        std::size_t end;
        while ((end = text.find('\n')) != std::string_view::npos) {
            book.line(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        kept = text.size();
        std::memmove(block.data(), text.data(), kept);
    }
}

} // namespace gates

int main(int argc, char **argv) {
    unsigned records = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000;
    char path[] = "/tmp/gatesXXXXXX";
    int handle = mkstemp(path);
    if (handle < 0)
        return 1;
    unlink(path);
    gates::File file(fdopen(handle, "w+"));
    static char buffer[1 << 18];
    std::setvbuf(file.get(), buffer, _IOFBF, sizeof buffer);
    gates::write_records(file.get(), records);
    gates::Book book;
    gates::read_lines(file.get(), book);
    for (const auto &[name, passed] : book.busiest(3))
        std::printf("%s %u ", name.c_str(), passed);
    std::printf("sum %016llx\n", static_cast<unsigned long long>(book.sum()));
}
