// Ants wander over a plain and leave scent behind; the strongest trail is reported.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ants {

struct Spot {
    int x;
    int y;
    friend bool operator==(const Spot &a, const Spot &b) noexcept { return a.x == b.x && a.y == b.y; }
};

} // namespace ants

template <> struct std::hash<ants::Spot> {
    std::size_t operator()(const ants::Spot &spot) const noexcept {
        return std::hash<int>{}(spot.x) ^ std::hash<int>{}(spot.y);
    }
};

namespace ants {

struct Scent {
    float strength = 0;
    int visits = 0;
};

class Plain {
public:
    void mark(const Spot &spot, float strength) {
        auto &scent = ground_[spot];
        scent.strength = scent.strength * 0.9f + strength;
        ++scent.visits;
    }

    float smell(const Spot &spot) const {
        auto found = ground_.find(spot);
        return found == ground_.end() ? 0.0f : found->second.strength;
    }

    std::size_t known() const { return ground_.size(); }

    std::vector<std::pair<Spot, Scent>> strongest(std::size_t count) const {
        std::vector<std::pair<Spot, Scent>> all(ground_.begin(), ground_.end());
        count = std::min(count, all.size());
        auto before = [](const auto &a, const auto &b) {
            if (a.second.visits != b.second.visits)
                return a.second.visits > b.second.visits;
            return a.first.x != b.first.x ? a.first.x < b.first.x : a.first.y < b.first.y;
        };
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), before);
        all.resize(count);
        return all;
    }

private:
    std::unordered_map<Spot, Scent> ground_;
};

class Ant {
public:
    Ant(Spot home, unsigned seed) : at_(home), chance_(seed) {}

    void walk(Plain &plain) {
        static constexpr Spot ways[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        const Spot ahead = step(ways[heading_]);
        const unsigned roll = chance_() % 16;
        if (roll == 0 || plain.smell(ahead) > 8.0f)
            heading_ = (heading_ + (roll & 1 ? 1 : 3)) % 4;
        at_ = step(ways[heading_]);
        plain.mark(at_, 1.0f + static_cast<float>(roll) / 16.0f);
    }

private:
    Spot step(const Spot &way) const {
        return {std::clamp(at_.x + way.x, 0, 63), std::clamp(at_.y + way.y, 0, 63)};
    }

    Spot at_;
    unsigned heading_ = 0;
    std::minstd_rand chance_;
};

class Colony {
public:
    explicit Colony(unsigned size) {
        for (unsigned i = 0; i < size; ++i)
            ants_.emplace_back(Spot{static_cast<int>(i * 37 % 64), static_cast<int>(i * 61 % 64)}, i + 1);
    }

    void hour(Plain &plain) {
        for (Ant &ant : ants_)
            ant.walk(plain);
    }

private:
    std::vector<Ant> ants_;
};

} // namespace ants

int main(int argc, char **argv) {
    const int hours = argc > 1 ? std::atoi(argv[1]) : 50;
    ants::Plain plain;
    ants::Colony colony(600);
    for (int hour = 0; hour < hours; ++hour)
        colony.hour(plain);
    long sum = 0;
    for (const auto &[spot, scent] : plain.strongest(50))
        sum = sum * 7 + spot.x * 3 + spot.y + scent.visits;
    std::printf("spots %zu trail %ld\n", plain.known(), sum & 0xffffff);
}
