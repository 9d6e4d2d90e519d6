// Finds the ways of couriers through a hilly town and keeps those that were asked for before.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Cost = std::uint32_t;
constexpr Cost unreached = std::numeric_limits<Cost>::max();

/// A square town with a height for each block.
class Town {
public:
    explicit Town(int side) : side_(side), heights_(static_cast<std::size_t>(side) * side)
    {
        std::mt19937 random(7);
        for (auto &height : heights_) {
            height = static_cast<std::uint8_t>(random() % 24);
        }
    }

    int side() const { return side_; }
    int blocks() const { return side_ * side_; }

    Cost step(int from, int to) const
    {
        const int climb = heights_[to] - heights_[from];
        return 10 + static_cast<Cost>(climb > 0 ? 3 * climb : -climb);
    }

private:
    int side_;
    std::vector<std::uint8_t> heights_;
};

/// Ways from one block to all others.
class Router {
public:
    explicit Router(const Town &town) : town_(town), cost_(town.blocks(), unreached) {}

    const std::vector<Cost> &from(int start)
    {
        std::fill(cost_.begin(), cost_.end(), unreached);
        cost_[start] = 0;
        open_.push({0, start});
        while (!open_.empty()) {
            const auto [cost, block] = open_.top();
            open_.pop();
            if (cost == cost_[block]) {
                spread(block, cost);
            }
        }
        return cost_;
    }

private:
    void spread(int block, Cost cost)
    {
        const int side = town_.side();
        const int column = block % side;
        if (column > 0) {
            reach(block, block - 1, cost);
        }
        if (column + 1 < side) {
            reach(block, block + 1, cost);
        }
        if (block >= side) {
            reach(block, block - side, cost);
        }
        if (block + side < town_.blocks()) {
            reach(block, block + side, cost);
        }
    }

    void reach(int from, int to, Cost cost)
    {
        const Cost next = cost + town_.step(from, to);
        if (next < cost_[to]) {
            cost_[to] = next;
            open_.push({next, to});
        }
    }

    using Entry = std::pair<Cost, int>;

    const Town &town_;
    std::vector<Cost> cost_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

/// What a depot needs to know of its ways, worked out once for each.
class Office {
public:
    explicit Office(const Town &town) : router_(town) {}

    Cost farthest(int depot)
    {
        auto [place, fresh] = known_.try_emplace(depot, 0);
        if (fresh) {
            const auto &cost = router_.from(depot);
            place->second = *std::max_element(cost.begin(), cost.end());
        }
        return place->second;
    }

    std::size_t known() const { return known_.size(); }

private:
    Router router_;
    std::unordered_map<int, Cost> known_;
};

} // namespace

int main(int argc, char **argv)
{
    const int depots = argc > 1 ? std::atoi(argv[1]) : 4;
    const Town town(400);
    Office office(town);
    std::mt19937 random(3);
    std::vector<int> places;
    for (int n = 0; n < depots; ++n) {
        places.push_back(static_cast<int>(random() % static_cast<unsigned>(town.blocks())));
    }
    std::uint64_t sum = 0;
    for (int call = 0; call < depots * 1000; ++call) {
        sum += office.farthest(places[random() % places.size()]) * (1 + call % 3);
    }
    std::printf("%d calls, %zu depots, sum %llu\n", depots * 1000, office.known(), static_cast<unsigned long long>(sum));
}
