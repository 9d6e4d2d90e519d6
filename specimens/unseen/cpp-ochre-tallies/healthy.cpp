// Tallies the pigments in the cave paintings of a valley: which colours lie beside which.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

enum class Pigment : std::uint8_t { bare, ochre, soot, chalk, umber, count };

using Row = std::vector<Pigment>;
using Wall = std::vector<Row>;

class Painter {
public:
    explicit Painter(std::uint32_t seed) : state_(seed) {}

    Wall paint(std::size_t height, std::size_t width) {
        Wall wall(height, Row(width, Pigment::bare));
        for (std::size_t stroke = 0; stroke < height * 2; stroke++) {
            std::size_t y = chance(height), x = chance(width), length = 5 + chance(40);
            auto pigment = static_cast<Pigment>(1 + chance(4));
            for (std::size_t step = 0; step < length && x + step < width; step++)
                wall[(y + step / 7) % height][x + step] = pigment;
        }
        return wall;
    }

private:
    std::size_t chance(std::size_t limit) {
        state_ = state_ * 1664525u + 1013904223u;
        return (state_ >> 8) % limit;
    }

    std::uint32_t state_;
};

class Tally {
public:
    Tally() : beside_(static_cast<std::size_t>(Pigment::count) * static_cast<std::size_t>(Pigment::count)) {}

    void look(const Wall &wall) {
        for (std::size_t y = 0; y + 1 < wall.size(); y++)
            for (std::size_t x = 0; x + 1 < wall[y].size(); x++) {
                note(wall[y][x], wall[y][x + 1]);
                note(wall[y][x], wall[y + 1][x]);
            }
        for (const Row &row : wall)
            longest_ = std::max(longest_, longest_run(row));
    }

    std::string report() const {
        std::string text = "run " + std::to_string(longest_) + " beside";
        for (auto count = beside_.begin(); count != beside_.end(); ++count)
            text += " " + std::to_string(*count);
        return text;
    }

private:
    void note(Pigment one, Pigment other) {
        beside_[static_cast<std::size_t>(one) * static_cast<std::size_t>(Pigment::count)
                + static_cast<std::size_t>(other)]++;
    }

    static std::size_t longest_run(const Row &row) {
        std::size_t best = 0, run = 0;
        for (auto at = row.begin(); at != row.end(); ++at) {
            run = at != row.begin() && *at == *(at - 1) ? run + 1 : 1;
            if (*at != Pigment::bare)
                best = std::max(best, run);
        }
        return best;
    }

    std::vector<std::uint64_t> beside_;
    std::size_t longest_ = 0;
};

int main(int argc, char **argv) {
    const int caves = argc > 1 ? std::atoi(argv[1]) : 4;
    Painter painter(40000);
    Tally tally;
    std::map<std::size_t, int> sizes;
    for (int cave = 0; cave < caves; cave++) {
        Wall wall = painter.paint(300 + static_cast<std::size_t>(cave % 7) * 20, 700);
        sizes[wall.size()]++;
        tally.look(wall);
    }
    std::cout << caves << " caves of " << sizes.size() << " sizes, " << tally.report() << '\n';
}
