// Sorts a day of trades and reports turnover, range and volume for several windows.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <vector>

struct Trade {
    uint32_t time;
    uint32_t price;
    uint32_t pieces;
    uint32_t venue;
};

using Day = std::list<Trade>;

static uint64_t state = 0x2545F4914F6CDD1Dull;

static uint32_t roll(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<uint32_t>(state >> 20) % below;
}

static bool earlier(const Trade &left, const Trade &right) { return left.time < right.time; }

static void order(std::vector<Trade> &trades) { std::stable_sort(trades.begin(), trades.end(), earlier); }

[[maybe_unused]] static void order(std::list<Trade> &trades) { trades.sort(earlier); }

static Day record(size_t length) {
    Day day;
    for (size_t i = 0; i < length; i++) day.push_back({roll(30000000), 900 + roll(200), 1 + roll(50), roll(8)});
    order(day);
    return day;
}

static uint64_t turnover(const Day &day, uint32_t from, uint32_t to) {
    uint64_t total = 0;
    for (const Trade &trade : day)
        if (trade.time >= from && trade.time < to) total += uint64_t{trade.price} * trade.pieces;
    return total;
}

static uint64_t ladder(uint32_t rounds) {
    std::vector<Trade> book;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        for (uint32_t level = 0; level < 2000; level++) book.push_back({roll(5000), 900 + level % 50, 1, level % 8});
        order(book);
        for (const Trade &trade : book) sum = sum * 31 + trade.time;
        book.clear();
    }
    return sum;
}

static uint64_t report(const Day &day, uint32_t windows) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < windows; i++) {
        uint32_t from = roll(20000000);
        sum = sum * 31 + turnover(day, from, from + 10000000);
    }
    return sum;
}

int main(int count, char **argument) {
    size_t length = count > 1 ? static_cast<size_t>(std::atol(argument[1])) : 400000;
    Day day = record(length);
    uint64_t sum = report(day, 26);
    sum += ladder(2000);
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
