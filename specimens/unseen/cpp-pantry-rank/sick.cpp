// Orders the jars of many pantries for their shelf lists: by the house's own letter order, then by year and weight.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}

    std::uint32_t next(std::uint32_t bound) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state_ >> 33) % bound;
    }

  private:
    std::uint64_t state_;
};

struct Jar {
    std::string label;
    int year = 0;
    int grams = 0;
};

// The order of letters, and of groups of three letters, in which a house keeps its shelf.
class ShelfOrder {
  public:
    explicit ShelfOrder(std::uint32_t house) : groups_(26 * 26 * 26) {
        Draw draw(house * 977u + 5u);
        std::array<std::uint16_t, 26> letters{};
        for (std::uint16_t i = 0; i < 26; i++) {
            letters[i] = i;
        }
        for (std::uint32_t i = 25; i > 0; i--) {
            std::swap(letters[i], letters[draw.next(i + 1)]);
        }
        for (std::size_t a = 0; a < 26; a++) {
            for (std::size_t b = 0; b < 26; b++) {
                for (std::size_t c = 0; c < 26; c++) {
                    groups_[(a * 26 + b) * 26 + c] =
                        static_cast<std::uint16_t>((letters[a] * 26 + letters[b]) * 26 + letters[c]);
                }
            }
        }
    }

    bool operator()(const Jar &left, const Jar &right) const {
        const std::size_t shared = std::min(left.label.size(), right.label.size());
        for (std::size_t i = 0; i + 2 < shared; i += 3) {
            const auto l = weight(left.label, i);
            const auto r = weight(right.label, i);
            if (l != r) {
                return l < r;
            }
        }
        if (left.label.size() != right.label.size()) {
            return left.label.size() < right.label.size();
        }
        return left.year != right.year ? left.year < right.year : left.grams < right.grams;
    }

  private:
    std::uint16_t weight(const std::string &label, std::size_t at) const {
        const auto a = static_cast<std::size_t>(label[at] - 'a');
        const auto b = static_cast<std::size_t>(label[at + 1] - 'a');
        const auto c = static_cast<std::size_t>(label[at + 2] - 'a');
        return groups_[(a * 26 + b) * 26 + c];
    }

    std::vector<std::uint16_t> groups_;
};

const char *const kFruits[] = {"plum", "apple", "quince", "damson", "cherry", "rhubarb", "currant", "gooseberry"};
const char *const kKinds[] = {"jam", "jelly", "syrup", "chutney", "compote", "butter"};

std::vector<Jar> stock(Draw &draw, std::size_t count) {
    std::vector<Jar> jars(count);
    for (Jar &jar : jars) {
        jar.label = kFruits[draw.next(8)];
        jar.label += kKinds[draw.next(6)];
        jar.label += static_cast<char>('a' + draw.next(26));
        jar.label += static_cast<char>('a' + draw.next(26));
        jar.year = 1990 + static_cast<int>(draw.next(34));
        jar.grams = 120 + static_cast<int>(draw.next(60)) * 10;
    }
    return jars;
}

void arrange(std::vector<Jar> &jars, const ShelfOrder &order) {
    std::sort(jars.begin(), jars.end(), order);
}

// Jars of the same label side by side count as one place of the shelf.
std::size_t places(const std::vector<Jar> &jars) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < jars.size(); i++) {
        count += i == 0 || jars[i].label != jars[i - 1].label;
    }
    return count;
}

// Every twelfth jar gets a printed label.
std::uint64_t print_labels(const std::vector<Jar> &jars, std::uint64_t mark) {
    char line[96];
    for (std::size_t i = 0; i < jars.size(); i += 12) {
        const int length = std::snprintf(line, sizeof line, "%4zu %-18s %4d %5d g", i + 1, jars[i].label.c_str(),
                                         jars[i].year, jars[i].grams);
        for (int c = 0; c < length; c++) {
            mark = (mark ^ static_cast<unsigned char>(line[c])) * 1099511628211ull;
        }
    }
    return mark;
}

} // namespace

int main(int argc, char **argv) {
    const int houses = argc > 1 ? std::atoi(argv[1]) : 60;
    Draw draw(4711);
    std::uint64_t mark = 1469598103934665603ull;
    std::size_t shelf = 0;
    std::size_t jars_seen = 0;
    for (int house = 0; house < houses; house++) {
        std::vector<Jar> jars = stock(draw, 9000 + draw.next(4000));
        const ShelfOrder order(static_cast<std::uint32_t>(house));
        arrange(jars, order);
        shelf += places(jars);
        jars_seen += jars.size();
        mark = print_labels(jars, mark);
    }
    std::printf("jars %zu places %zu mark %016llx\n", jars_seen, shelf, static_cast<unsigned long long>(mark));
    return 0;
}
