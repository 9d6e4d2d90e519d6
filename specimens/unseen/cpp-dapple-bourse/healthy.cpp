// Matches the orders of some trading days on a price ladder, keeps a day's trades and audits them from the close backwards.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

constexpr int kPrices = 512;
constexpr uint32_t kNone = 0xffffffffu;

struct Order {
    uint32_t quantity;
    uint16_t price;
    uint16_t buyer;
    uint32_t next;
};

struct Trade {
    uint32_t number;
    uint16_t price;
    uint16_t buyer;
    uint32_t quantity;
    uint32_t left;
};

class Ladder {
public:
    explicit Ladder(uint32_t places) : orders_(places) { clear(); }

    void clear() {
        uint32_t places = static_cast<uint32_t>(orders_.size());
        for (uint32_t i = 0; i < places; i++)
            orders_[i].next = i + 1 < places ? i + 1 : kNone;
        free_ = 0;
        best_buy_ = -1;
        best_sell_ = kPrices;
        for (int side = 0; side < 2; side++)
            for (int price = 0; price < kPrices; price++)
                head_[side][price] = tail_[side][price] = kNone;
    }

    bool place(bool buy, uint16_t price, uint32_t quantity) {
        if (free_ == kNone)
            return false;
        uint32_t at = free_;
        free_ = orders_[at].next;
        orders_[at] = {quantity, price, buy, kNone};
        if (tail_[buy][price] == kNone)
            head_[buy][price] = at;
        else
            orders_[tail_[buy][price]].next = at;
        tail_[buy][price] = at;
        if (buy && price > best_buy_)
            best_buy_ = price;
        if (!buy && price < best_sell_)
            best_sell_ = price;
        return true;
    }

    template <typename Deal>
    uint32_t match(bool buy, uint16_t price, uint32_t quantity, Deal deal) {
        int other = !buy;
        while (quantity) {
            int best = buy ? best_sell_ : best_buy_;
            if (best < 0 || best >= kPrices || (buy ? best > price : best < price))
                break;
            while (quantity && head_[other][best] != kNone) {
                uint32_t at = head_[other][best];
                uint32_t part = orders_[at].quantity < quantity ? orders_[at].quantity : quantity;
                quantity -= part;
                orders_[at].quantity -= part;
                deal(static_cast<uint16_t>(best), part, orders_[at].quantity);
                if (orders_[at].quantity == 0)
                    release(other, best, at);
            }
            if (head_[other][best] == kNone)
                step(other);
        }
        return quantity;
    }

private:
    void release(int side, int price, uint32_t at) {
        head_[side][price] = orders_[at].next;
        if (head_[side][price] == kNone)
            tail_[side][price] = kNone;
        orders_[at].next = free_;
        free_ = at;
    }

    void step(int side) {
        int &best = side ? best_buy_ : best_sell_;
        int way = side ? -1 : 1;
        do
            best += way;
        while (best >= 0 && best < kPrices && head_[side][best] == kNone);
    }

    std::vector<Order> orders_;
    uint32_t free_;
    uint32_t head_[2][kPrices], tail_[2][kPrices];
    int best_buy_, best_sell_;
};

class Exchange {
public:
    Exchange(uint32_t places, size_t trades) : ladder_(places) { tape_.reserve(trades); }

    void submit(bool buy, uint16_t price, uint32_t quantity) {
        std::lock_guard<std::mutex> hold(gate_);
        orders_++;
        uint32_t rest = ladder_.match(buy, price, quantity, [&](uint16_t at, uint32_t part, uint32_t left) {
            tape_.push_back({static_cast<uint32_t>(tape_.size()), at, static_cast<uint16_t>(buy), part, left});
        });
        if (rest && !ladder_.place(buy, price, rest))
            refused_++;
    }

    uint64_t close() {
        std::lock_guard<std::mutex> hold(gate_);
        uint64_t seal = 1469598103934665603ull;
        for (size_t i = tape_.size(); i-- > 0;) {
            const Trade &trade = tape_[i];
            seal = (seal ^ (uint64_t(trade.price) << 40 ^ uint64_t(trade.quantity) << 8 ^ trade.buyer)) * 1099511628211ull;
            seal = (seal ^ trade.number ^ uint64_t(trade.left) << 32) * 1099511628211ull;
        }
        trades_ += tape_.size();
        tape_.clear();
        ladder_.clear();
        return seal;
    }

    size_t trades() const { return trades_; }
    long refused() const { return refused_; }

private:
    std::mutex gate_;
    Ladder ladder_;
    std::vector<Trade> tape_;
    size_t trades_ = 0;
    long orders_ = 0, refused_ = 0;
};

static void day(Exchange &exchange, long orders, uint64_t state) {
    int middle = kPrices / 2;
    for (long i = 0; i < orders; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (i % 1024 == 0)
            middle += static_cast<int>(state >> 61) - 3 - (middle > kPrices / 2);
        if (middle < 64 || middle > kPrices - 64)
            middle = kPrices / 2;
        bool buy = state >> 40 & 1;
        int away = static_cast<int>(state >> 44 & 15) - 9;
        exchange.submit(buy, static_cast<uint16_t>(buy ? middle - away : middle + away), 1 + (state >> 50 & 63));
    }
}

int main(int argc, char **argv) {
    int days = argc > 1 ? atoi(argv[1]) : 2;
    const long orders = 1000000;
    Exchange exchange(1 << 14, static_cast<size_t>(orders) * 2);
    uint64_t seal = 0;
    for (int i = 0; i < days; i++) {
        day(exchange, orders, 0x2545f4914f6cdd1dull + static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15ull);
        seal = seal * 31 + exchange.close();
    }
    printf("trades %zu refused %ld seal %016llx\n", exchange.trades(), exchange.refused(),
           static_cast<unsigned long long>(seal));
    return 0;
}
