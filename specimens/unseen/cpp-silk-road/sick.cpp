// Caravans bring goods along the road; every market sorts them in its own order.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace road {

struct Bale {
    std::uint32_t kind;
    std::uint32_t weight;
    std::uint32_t owner;
};

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2654435761u + 88172645463325252ull) {}

    std::uint32_t operator()(std::uint32_t below) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::uint32_t>(state_ >> 20) % below;
    }

private:
    std::uint64_t state_;
};

constexpr std::uint32_t kKinds = 700;

// The order in which a market likes its goods.
struct Taste {
    std::vector<std::uint32_t> rank;

    explicit Taste(std::uint32_t market) : rank(kKinds) {
        std::iota(rank.begin(), rank.end(), 0u);
        Random random(market + 1);
        for (std::uint32_t i = kKinds - 1; i > 0; --i)
            std::swap(rank[i], rank[random(i + 1)]);
    }

    bool operator()(const Bale &one, const Bale &other) const {
        if (rank[one.kind] != rank[other.kind])
            return rank[one.kind] < rank[other.kind];
        return one.weight != other.weight ? one.weight > other.weight : one.owner < other.owner;
    }
};

class Market {
public:
    virtual ~Market() = default;
    virtual std::string name() const = 0;
    virtual std::uint64_t trade(std::vector<Bale> &goods) = 0;
};

template <class Order>
class OrderedMarket : public Market {
public:
    OrderedMarket(std::string name, Order order) : name_(std::move(name)), order_(std::move(order)) {}

    std::string name() const override { return name_; }

    std::uint64_t trade(std::vector<Bale> &goods) override {
        std::sort(goods.begin(), goods.end(), order_);
        return price(goods);
    }

private:
    static std::uint64_t price(const std::vector<Bale> &goods) {
        std::uint64_t sum = 0;
        std::uint64_t place = 0;
        for (const Bale &bale : goods)
            sum += bale.weight * (1000 + ++place % 97) / (bale.kind + 1);
        return sum;
    }

    std::string name_;
    Order order_;
};

std::vector<Bale> load(std::uint32_t caravan, std::size_t count) {
    Random random(caravan + 77);
    std::vector<Bale> goods(count);
    for (Bale &bale : goods)
        bale = {random(kKinds), random(5000) + 1, random(40)};
    return goods;
}

// Owners' shares, kept by name for the scribe.
std::uint64_t shares(const std::vector<Bale> &goods) {
    std::map<std::string, std::uint64_t> book;
    for (std::size_t i = 0; i < goods.size(); i += 16)
        book["owner " + std::to_string(goods[i].owner)] += goods[i].weight;
    std::uint64_t mark = 0;
    for (const auto &[owner, weight] : book)
        mark = mark * 31 + owner.size() + weight;
    return mark;
}

} // namespace road

int main(int argc, char **argv) {
    const std::uint32_t caravans = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 2;
    std::vector<std::unique_ptr<road::Market>> markets;
    for (std::uint32_t i = 0; i < 6; ++i)
        markets.push_back(
            std::make_unique<road::OrderedMarket<road::Taste>>("market " + std::to_string(i), road::Taste(i)));
    std::uint64_t earned = 0, mark = 0;
    for (std::uint32_t caravan = 0; caravan < caravans; ++caravan) {
        auto goods = road::load(caravan, 20000);
        for (auto &market : markets)
            earned += market->trade(goods) + market->name().size();
        mark ^= road::shares(goods) + caravan;
    }
    std::printf("earned %llu mark %llx\n", static_cast<unsigned long long>(earned), static_cast<unsigned long long>(mark));
    return 0;
}
