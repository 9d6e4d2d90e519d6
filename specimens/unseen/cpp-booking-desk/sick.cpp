// Audits a guest house's bookings: which stays want the same room on the same night?
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Stay {
    int room;
    int first;
    int last;
    int guests;
};

struct Audit {
    std::uint64_t clashes = 0;
    std::uint64_t nights = 0;
    std::uint64_t letters = 0;
};

class Season {
public:
    explicit Season(long stays) : rooms_(static_cast<int>(stays / 16) + 1) {
        std::uint64_t state = 12345;
        for (long i = 0; i < stays; ++i) {
            Stay stay;
            stay.room = static_cast<int>(draw(state) % rooms_);
            stay.first = static_cast<int>(draw(state) % 365);
            stay.last = stay.first + static_cast<int>(draw(state) % 9);
            stay.guests = 1 + static_cast<int>(draw(state) % 4);
            stays_.push_back(stay);
        }
    }

    const std::vector<Stay> &stays() const { return stays_; }

private:
    static std::uint32_t draw(std::uint64_t &state) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state >> 33);
    }

    std::uint32_t rooms_;
    std::vector<Stay> stays_;
};

bool overlap(const Stay &one, const Stay &other) {
    return one.room == other.room && one.first <= other.last && other.first <= one.last;
}

std::uint64_t shared_nights(const Stay &one, const Stay &other) {
    return static_cast<std::uint64_t>(std::min(one.last, other.last) - std::max(one.first, other.first) + 1);
}

void clashes(const std::vector<Stay> &stays, Audit &audit) {
    for (std::size_t i = 0; i < stays.size(); ++i)
        for (std::size_t j = i + 1; j < stays.size(); ++j)
            if (overlap(stays[i], stays[j])) {
                ++audit.clashes;
                audit.nights += shared_nights(stays[i], stays[j]);
            }
}

std::string invoice(const Stay &stay) {
    char line[96];
    std::snprintf(line, sizeof line, "room %d, %d nights, %d guests: %d.00", stay.room, stay.last - stay.first + 1,
                  stay.guests, (stay.last - stay.first + 1) * stay.guests * 45);
    return line;
}

void print_invoices(const std::vector<Stay> &stays, Audit &audit) {
    for (const Stay &stay : stays)
        for (char letter : invoice(stay))
            audit.letters = audit.letters * 31 + static_cast<unsigned char>(letter);
}

Audit audit(const Season &season) {
    Audit audit;
    print_invoices(season.stays(), audit);
    clashes(season.stays(), audit);
    return audit;
}

} // namespace

int main(int argc, char **argv) {
    const Season season(argc > 1 ? std::atol(argv[1]) : 2000);
    const Audit result = audit(season);
    std::printf("%llu clashes, %llu nights, invoices %llx\n", static_cast<unsigned long long>(result.clashes),
                static_cast<unsigned long long>(result.nights), static_cast<unsigned long long>(result.letters));
    return 0;
}
