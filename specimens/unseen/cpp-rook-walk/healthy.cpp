// Counts the ways to set queens on a board, the first rows shared out among the processors.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Start {
    std::uint32_t columns;
    std::uint32_t left;
    std::uint32_t right;
};

class Board {
public:
    explicit Board(unsigned size) : size_(size), full_((1u << size) - 1) {}

    std::vector<Start> starts() const {
        std::vector<Start> found;
        for (unsigned first = 0; first < size_; ++first)
            for (unsigned second = 0; second < size_; ++second) {
                const std::uint32_t one = 1u << first, two = 1u << second;
                if (two & (one | one << 1 | one >> 1))
                    continue;
                found.push_back({one | two, (one << 2 | two << 1) & full_, one >> 2 | two >> 1});
            }
        return found;
    }

    std::uint64_t count(const Start &start) const { return walk(start.columns, start.left, start.right); }

private:
    std::uint64_t walk(std::uint32_t columns, std::uint32_t left, std::uint32_t right) const {
        if (columns == full_)
            return 1;
        std::uint64_t found = 0;
        std::uint32_t open = full_ & ~(columns | left | right);
        while (open) {
            const std::uint32_t place = open & (0u - open);
            open ^= place;
            found += walk(columns | place, (left | place) << 1 & full_, (right | place) >> 1);
        }
        return found;
    }

    unsigned size_;
    std::uint32_t full_;
};

class Tally {
public:
    void add(std::uint64_t ways, std::size_t starts) {
        std::lock_guard<std::mutex> guard(lock_);
        ways_ += ways;
        starts_ += starts;
    }

    std::uint64_t ways() const { return ways_; }
    std::size_t starts() const { return starts_; }

private:
    std::mutex lock_;
    std::uint64_t ways_ = 0;
    std::size_t starts_ = 0;
};

void work(const Board &board, const std::vector<Start> &starts, std::atomic<std::size_t> &next, Tally &tally) {
    std::uint64_t ways = 0;
    std::size_t done = 0;
    for (std::size_t at = next++; at < starts.size(); at = next++) {
        ways += board.count(starts[at]);
        ++done;
    }
    tally.add(ways, done);
}

} // namespace

int main(int argc, char **argv) {
    const unsigned size = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 10;
    const Board board(size);
    const auto starts = board.starts();
    std::atomic<std::size_t> next{0};
    Tally tally;
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work, std::cref(board), std::cref(starts), std::ref(next), std::ref(tally));
    for (auto &worker : workers)
        worker.join();
    std::printf("ways %llu from %zu starts\n", static_cast<unsigned long long>(tally.ways()), tally.starts());
    return 0;
}
