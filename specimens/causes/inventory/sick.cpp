// Keeps an inventory over many days: sells, restocks, values.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

struct Item {
    uint32_t code;
    int32_t pieces;
    int32_t cents;
    int32_t target;
};

class Dice {
  public:
    explicit Dice(uint32_t seed) : seed_(seed) {}
    uint32_t roll(uint32_t below) {
        seed_ = seed_ * 1664525u + 1013904223u;
        return (seed_ >> 9) % below;
    }

  private:
    uint32_t seed_;
};

static std::vector<Item> open_store(Dice &dice, size_t items) {
    std::vector<Item> store;
    for (size_t i = 0; i < items; i++)
        store.push_back({static_cast<uint32_t>(i * 2654435761u), 40, 100 + static_cast<int32_t>(dice.roll(900)), 40});
    return store;
}

static void sell(std::vector<Item> &store, Dice &dice) {
    for (auto &item : store) {
        int32_t wanted = static_cast<int32_t>(dice.roll(9));
        item.pieces -= std::min(item.pieces, wanted);
    }
}

static int64_t restock(std::vector<Item> &store) {
    std::vector<size_t> order(store.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t left, size_t right) {
        const Item &a = store[left], &b = store[right];
        return a.pieces != b.pieces ? a.pieces < b.pieces : a.code < b.code;
    });
    int64_t spent = 0;
    for (size_t i = 0; i < order.size() / 3; i++) {
        Item &item = store[order[i]];
        spent += static_cast<int64_t>(item.target - item.pieces) * item.cents;
        item.pieces = item.target;
    }
    return spent;
}

static int64_t value_of(const std::vector<Item> &store) {
    return std::accumulate(store.begin(), store.end(), int64_t{0},
                           [](int64_t sum, const Item &item) { return sum + int64_t{item.pieces} * item.cents; });
}

static void tidy(std::vector<Item> &store, Dice &dice) {
    for (size_t i = store.size() - 1; i > 0; i--) std::swap(store[i], store[dice.roll(static_cast<uint32_t>(i + 1))]);
}

int main(int count, char **argument) {
    int days = count > 1 ? std::atoi(argument[1]) : 900;
    Dice dice(7);
    std::vector<Item> store = open_store(dice, 4000);
    uint64_t sum = 0;
    for (int day = 0; day < days; day++) {
        sell(store, dice);
        sum = sum * 31 + static_cast<uint64_t>(restock(store));
        sum += static_cast<uint64_t>(value_of(store));
        tidy(store, dice);
    }
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
