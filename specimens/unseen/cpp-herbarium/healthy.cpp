// A cabinet of pressed plants, measured genus by genus.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kSheets = 1500000;

struct Sheet {
    std::uint32_t leaf;
    std::uint32_t stem;
    std::uint32_t genus;
    std::uint32_t age;
    char label[48];
    Sheet *next;
};

class Cabinet {
public:
    explicit Cabinet(std::size_t count) : sheets_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            Sheet &sheet = sheets_[i];
            sheet.leaf = static_cast<std::uint32_t>(i * 2654435761u >> 7);
            sheet.stem = static_cast<std::uint32_t>(i % 977);
            sheet.genus = static_cast<std::uint32_t>(i % 31);
            sheet.age = static_cast<std::uint32_t>(i % 140);
            sheet.label[0] = static_cast<char>('a' + i % 26);
            sheet.next = nullptr;
        }
        thread_up();
    }

    std::uint64_t measure(std::uint32_t year) const {
        std::uint64_t sum = 0;
        for (const Sheet &sheet : sheets_)
            sum += size_of(sheet, year);
        return sum;
    }

    double dry(std::size_t every) const {
        double water = 0;
        for (std::size_t i = 0; i < sheets_.size(); i += every) {
            double left = 1.0;
            for (int week = 0; week < 20; ++week)
                left = left * std::exp(-0.1 * (1 + sheets_[i].stem % 3));
            water += left;
        }
        return water;
    }

private:
    static std::uint64_t size_of(const Sheet &sheet, std::uint32_t year) {
        const std::uint32_t shrink = (sheet.age + year) % 7;
        return (sheet.leaf >> 12) * (8 - shrink) + sheet.stem + (sheet.label[0] == 'q' ? 5 : 0);
    }

    // The order in which the sheets came in from the collectors.
    void thread_up() {
        std::vector<std::uint32_t> order(sheets_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::mt19937 random(1753);
        std::shuffle(order.begin(), order.end(), random);
        first_ = &sheets_[order[0]];
        for (std::size_t i = 0; i + 1 < order.size(); ++i)
            sheets_[order[i]].next = &sheets_[order[i + 1]];
    }

    std::vector<Sheet> sheets_;
    Sheet *first_ = nullptr;
};

struct Findings {
    std::uint64_t size = 0;
    double water = 0;
};

Findings survey(const Cabinet &cabinet, int years) {
    Findings findings;
    for (int year = 0; year < years; ++year)
        findings.size = findings.size * 3 + cabinet.measure(static_cast<std::uint32_t>(year));
    findings.water = cabinet.dry(500);
    return findings;
}

} // namespace

int main(int argc, char **argv) {
    const int years = argc > 1 ? std::atoi(argv[1]) : 2;
    const Cabinet cabinet(kSheets);
    const Findings findings = survey(cabinet, years);
    std::printf("size %llu water %.6f\n", static_cast<unsigned long long>(findings.size), findings.water);
    return 0;
}
