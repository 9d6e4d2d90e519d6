// Tells the brightness of a star for the given night.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Star {
    const char *name;
    double period;
    double swing;
};

static const Star stars[] = {
    {"Mira", 331.96, 4.1}, {"Algol", 2.867, 1.3}, {"Delta", 5.366, 0.9}, {"Eta", 7.176, 0.8}, {"Chi", 408.05, 5.2},
};

constexpr size_t star_count = sizeof stars / sizeof *stars;
constexpr uint32_t nights = 36500;
constexpr uint32_t minutes = 180;

static double brightness(const Star &star, double day) {
    double phase = 6.283185307179586 * day / star.period;
    double value = 6.0;
    for (int wave = 1; wave <= 6; wave++) value += star.swing / wave * std::sin(phase * wave) * std::cos(phase / wave);
    return value;
}

static std::vector<int32_t> build_row(uint32_t night) {
    std::vector<int32_t> row;
    row.reserve(star_count);
    for (const Star &star : stars) {
        double total = 0;
        for (uint32_t minute = 0; minute < minutes; minute += 8) total += brightness(star, night + minute / 1440.0);
        row.push_back(static_cast<int32_t>(total * 10));
    }
    return row;
}

class Almanac {
  public:
    Almanac() {
        for (uint32_t night = 0; night < nights; night++) rows_.push_back(build_row(night));
    }

    const std::vector<int32_t> &row(uint32_t night) { return rows_[night % nights]; }

  private:
    std::vector<std::vector<int32_t>> rows_;
};

static Almanac almanac;

static uint64_t tell(uint32_t night) {
    uint64_t sum = night;
    for (int32_t value : almanac.row(night)) sum = sum * 31 + static_cast<uint64_t>(value);
    return sum;
}

static uint64_t print_chart(uint64_t sum) {
    std::vector<uint32_t> dots(1 << 16);
    for (uint32_t round = 0; round < 4000; round++)
        for (size_t i = 1; i < dots.size(); i++) {
            dots[i] = dots[i - 1] * 3 + round + static_cast<uint32_t>(i);
            sum += dots[i] & 7;
        }
    return sum;
}

int main(int count, char **argument) {
    uint32_t wanted = count > 1 ? static_cast<uint32_t>(std::atoi(argument[1])) : 7;
    uint64_t sum = 0;
    for (uint32_t night = 0; night < wanted; night++) sum = sum * 31 + tell(night * 17);
    std::printf("%016llx\n", static_cast<unsigned long long>(print_chart(sum)));
    return 0;
}
