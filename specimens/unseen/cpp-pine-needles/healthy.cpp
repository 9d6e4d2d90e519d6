// Follows the needles that fall from the pines of a wood and lays them into squares of the ground.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace wood {

struct Needle {
    float x, y;
    float length;
    std::uint32_t tree;
};

class Chance {
public:
    explicit Chance(std::uint32_t seed) : state_(seed) {}
    float next() {
        state_ = state_ * 1664525u + 1013904223u;
        return static_cast<float>(state_ >> 8) / 16777216.0f;
    }

private:
    std::uint32_t state_;
};

/// One square of the ground.
class Square {
public:
    /// Takes in what one gust brings.
    void take(const Needle *first, std::size_t count) {
        needles_.insert(needles_.end(), first, first + count);
    }

    double cover() const {
        double sum = 0;
        for (const Needle &needle : needles_)
            sum += needle.length * (0.5 + 0.5 * needle.x);
        return sum;
    }

    std::size_t size() const { return needles_.size(); }

private:
    std::vector<Needle> needles_;
};

class Ground {
public:
    explicit Ground(std::size_t squares) : squares_(squares) {}

    void gust(Chance &chance, std::uint32_t tree) {
        Needle fallen[6];
        std::size_t count = 2 + static_cast<std::size_t>(chance.next() * 4);
        for (std::size_t at = 0; at < count; at++)
            fallen[at] = drop(chance, tree);
        std::size_t square = static_cast<std::size_t>(chance.next() * squares_.size());
        squares_[std::min(square, squares_.size() - 1)].take(fallen, count);
    }

    double cover() const {
        double sum = 0;
        for (const Square &square : squares_)
            sum += square.cover();
        return sum;
    }

    std::size_t needles() const {
        std::size_t sum = 0;
        for (const Square &square : squares_)
            sum += square.size();
        return sum;
    }

private:
    /// A needle sways on its way down.
    static Needle drop(Chance &chance, std::uint32_t tree) {
        float x = chance.next(), y = chance.next();
        for (int sway = 0; sway < 90; sway++) {
            x += 0.01f * (y - 0.5f);
            y -= 0.01f * (x - 0.5f);
        }
        return {x, y, 2.0f + chance.next(), tree};
    }

    std::vector<Square> squares_;
};

}  // namespace wood

int main(int argc, char **argv) {
    const std::uint32_t gusts = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 2000;
    wood::Chance chance(1851);
    wood::Ground ground(24);
    for (std::uint32_t gust = 0; gust < gusts; gust++)
        ground.gust(chance, gust % 977);
    std::cout << ground.needles() << " needles, cover " << std::llround(ground.cover()) << '\n';
}
