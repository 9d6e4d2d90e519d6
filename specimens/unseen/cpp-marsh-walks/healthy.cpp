// Marsh walks: depth soundings on a large grid, profiled by column and by row.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace marsh {

class Random {
public:
    explicit Random(uint64_t seed) : state(seed) {}
    uint32_t next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<uint32_t>(state >> 33);
    }

private:
    uint64_t state;
};

struct Profile {
    std::vector<int64_t> sum;
    std::vector<int32_t> deepest;

    explicit Profile(size_t width) : sum(width, 0), deepest(width, 0) {}
    void note(size_t column, int32_t depth)
    {
        sum[column] += depth;
        deepest[column] = std::max(deepest[column], depth);
    }
};

class Survey {
public:
    Survey(size_t rows, size_t columns) : rows(rows), columns(columns), cells(rows * columns) {}

    void sound(uint64_t seed)
    {
        Random random(seed);
        for (auto &cell : cells)
            cell = static_cast<int32_t>(random.next() % 700);
    }

    int32_t at(size_t row, size_t column) const { return cells[row * columns + column]; }

    // Sum and deepest place of each column, with the tide of the day taken off.
    Profile depth_profile(int32_t tide) const
    {
        Profile profile(columns);
        for (size_t row = 0; row < rows; ++row)
            for (size_t column = 0; column < columns; ++column)
                profile.note(column, at(row, column) - tide);
        return profile;
    }

    std::vector<double> row_means() const
    {
        std::vector<double> means;
        means.reserve(rows);
        for (size_t row = 0; row < rows; ++row) {
            auto from = cells.begin() + static_cast<long>(row * columns);
            means.push_back(std::accumulate(from, from + static_cast<long>(columns), 0.0) / static_cast<double>(columns));
        }
        return means;
    }

    double sample(Random &random, int count) const
    {
        double sum = 0;
        for (int turn = 0; turn < count; ++turn)
            sum += std::sqrt(static_cast<double>(at(random.next() % rows, random.next() % columns)));
        return sum / count;
    }

    double run(int days)
    {
        Random random(99);
        double result = 0;
        for (int day = 0; day < days; ++day) {
            Profile profile = depth_profile(day % 12);
            std::vector<double> means = row_means();
            auto deepest = std::max_element(profile.sum.begin(), profile.sum.end());
            result += static_cast<double>(*deepest) / static_cast<double>(rows);
            result += *std::max_element(means.begin(), means.end()) + sample(random, 2000);
            result += profile.deepest[static_cast<size_t>(day) % columns];
        }
        return result / days;
    }

private:
    size_t rows;
    size_t columns;
    std::vector<int32_t> cells;
};

} // namespace marsh

int main(int argc, char **argv)
{
    int days = argc > 1 ? std::atoi(argv[1]) : 2;
    marsh::Survey survey(4096, 4096);
    survey.sound(1953);
    std::printf("%d days, %.6f\n", days, survey.run(days));
    return 0;
}
