// Finds how the blocks of a film move from one picture to the next, as a video encoder does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

constexpr int Block = 32;
constexpr int Reach = 7;

template <typename Pixel> class Plane {
public:
    Plane(int width, int height) : width_{width}, height_{height}, pixels_(static_cast<std::size_t>(width * height)) {}

    int width() const { return width_; }
    int height() const { return height_; }
    const Pixel *row(int y) const { return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_; }
    Pixel *row(int y) { return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_; }

private:
    int width_, height_;
    std::vector<Pixel> pixels_;
};

using Picture = Plane<std::uint8_t>;

struct Vector {
    int dx = 0, dy = 0;
    unsigned cost = std::numeric_limits<unsigned>::max();
};

// A picture of grain that drifts a little with each number.
std::unique_ptr<Picture> film(int number) {
    auto picture = std::make_unique<Picture>(320, 192);
    std::uint32_t grain = 77u + static_cast<std::uint32_t>(number);
    for (int y = 0; y < picture->height(); ++y) {
        auto *row = picture->row(y);
        for (int x = 0; x < picture->width(); ++x) {
            grain = grain * 1664525u + 1013904223u;
            const int wave = ((x + number * 2) * (y + number) / 24) & 15;
            row[x] = static_cast<std::uint8_t>(64 + wave + static_cast<int>(grain >> 25));
        }
    }
    return picture;
}

// How different two blocks are; the exact number matters only below the limit.
unsigned difference(const Picture &one, int x1, int y1, const Picture &two, int x2, int y2, unsigned limit) {
    unsigned sum = 0;
    for (int y = 0; y < Block; ++y) {
        const std::uint8_t *a = one.row(y1 + y) + x1;
        const std::uint8_t *b = two.row(y2 + y) + x2;
        for (int x = 0; x < Block; ++x) {
            sum += static_cast<unsigned>(std::abs(a[x] - b[x]));
            if (sum >= limit)
                return limit;
        }
    }
    return sum;
}

Vector search(const Picture &before, const Picture &now, int x, int y) {
    Vector best;
    for (int dy = -Reach; dy <= Reach; ++dy)
        for (int dx = -Reach; dx <= Reach; ++dx) {
            const int fx = x + dx, fy = y + dy;
            if (fx < 0 || fy < 0 || fx + Block > before.width() || fy + Block > before.height())
                continue;
            const unsigned cost = difference(now, x, y, before, fx, fy, best.cost);
            if (cost < best.cost)
                best = {dx, dy, cost};
        }
    return best;
}

std::uint64_t follow(const Picture &before, const Picture &now) {
    std::uint64_t sum = 0;
    for (int y = 0; y + Block <= now.height(); y += Block)
        for (int x = 0; x + Block <= now.width(); x += Block) {
            const Vector move = search(before, now, x, y);
            sum = sum * 29 + static_cast<std::uint64_t>(move.dx + Reach) * 16 + static_cast<std::uint64_t>(move.dy + Reach) + move.cost;
        }
    return sum;
}

int main(int argc, char **argv) {
    const int pictures = argc > 1 ? std::stoi(argv[1]) : 4;
    std::uint64_t sum = 0;
    auto before = film(0);
    for (int number = 1; number < pictures; ++number) {
        auto now = film(number);
        sum ^= follow(*before, *now) + static_cast<std::uint64_t>(number);
        before = std::move(now);
    }
    std::printf("motion %016llx\n", static_cast<unsigned long long>(sum));
    return EXIT_SUCCESS;
}
