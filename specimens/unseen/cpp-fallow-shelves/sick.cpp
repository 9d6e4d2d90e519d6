// Stock ledger of a wholesaler: shelves with lots; values the stock again after each delivery.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stock {

struct Lot {
    std::string mark;
    std::int32_t pieces;
    std::int32_t cents;
    std::int32_t arrived;
};

struct Shelf {
    std::vector<Lot> lots;
    std::int32_t aisle = 0;
    std::int32_t reserve = 0;
};

struct Delivery {
    std::string shelf;
    Lot lot;
};

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t limit)
    {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state_ >> 33) % limit;
    }

private:
    std::uint64_t state_;
};

// Adds up what one walk past the shelves has seen.
struct Valuation {
    std::int64_t cents = 0;
    std::int64_t pieces = 0;
    std::int32_t aged = 0;
    std::int32_t empty = 0;
};

class Ledger {
public:
    using Entry = std::pair<std::string, Shelf>;
    using Rule = std::function<void(Valuation &, const Entry &)>;

    void rule(Rule rule) { rules_.push_back(std::move(rule)); }

    void receive(const Delivery &delivery)
    {
        Shelf &shelf = shelves_[delivery.shelf];
        shelf.lots.push_back(delivery.lot);
        if (shelf.lots.size() > 24)
            shelf.lots.erase(shelf.lots.begin());
        shelf.aisle = delivery.shelf.back() % 9;
    }

    void reserve(const std::string &name, std::int32_t pieces)
    {
        auto found = shelves_.find(name);
        if (found != shelves_.end())
            found->second.reserve = (found->second.reserve + pieces) % 97;
    }

    Valuation value() const
    {
        Valuation valuation;
        for (const Rule &rule : rules_)
            std::for_each(shelves_.begin(), shelves_.end(),
                          [&](const Entry &entry) { rule(valuation, entry); });
        return valuation;
    }

    std::size_t size() const { return shelves_.size(); }

private:
    std::map<std::string, Shelf> shelves_;
    std::vector<Rule> rules_;
};

void worth(Valuation &valuation, const Ledger::Entry &entry)
{
    for (const Lot &lot : entry.second.lots) {
        valuation.cents += static_cast<std::int64_t>(lot.cents) * lot.pieces;
        valuation.pieces += lot.pieces;
    }
    valuation.pieces -= entry.second.reserve;
}

void gaps(Valuation &valuation, const Ledger::Entry &entry)
{
    std::int32_t pieces = 0;
    for (const Lot &lot : entry.second.lots)
        pieces += lot.pieces;
    if (pieces <= entry.second.reserve)
        valuation.empty++;
}

std::string shelf_name(std::uint32_t number)
{
    char text[40];
    std::snprintf(text, sizeof text, "hall-%u/rack-%03u", number % 7, number);
    return text;
}

Delivery next_delivery(Dice &dice, std::int32_t day, std::uint32_t shelves)
{
    Delivery delivery;
    delivery.shelf = shelf_name(dice.below(shelves));
    char mark[48];
    std::snprintf(mark, sizeof mark, "lot %08u from depot %02u", dice.below(90000000), dice.below(40));
    delivery.lot = Lot{mark, static_cast<std::int32_t>(1 + dice.below(60)),
                       static_cast<std::int32_t>(90 + dice.below(7000)), day};
    return delivery;
}

} // namespace stock

int main(int argc, char **argv)
{
    const int days = argc > 1 ? std::atoi(argv[1]) : 1100;
    stock::Dice dice(4711);
    stock::Ledger ledger;
    std::int32_t day = 0;
    ledger.rule(stock::worth);
    ledger.rule(stock::gaps);
    ledger.rule([&day](stock::Valuation &valuation, const stock::Ledger::Entry &entry) {
        for (const stock::Lot &lot : entry.second.lots)
            if (day - lot.arrived > 40)
                valuation.aged++;
    });
    for (int i = 0; i < 20000; i++)
        ledger.receive(stock::next_delivery(dice, 0, 800));
    std::uint64_t seal = 14695981039346656037ull;
    for (day = 1; day <= days; day++) {
        for (int i = 0; i < 60; i++)
            ledger.receive(stock::next_delivery(dice, day, 800));
        for (int i = 0; i < 30; i++)
            ledger.reserve(stock::shelf_name(dice.below(800)), static_cast<std::int32_t>(dice.below(50)));
        stock::Valuation valuation = ledger.value();
        for (std::int64_t part : {valuation.cents, valuation.pieces, static_cast<std::int64_t>(valuation.aged),
                                  static_cast<std::int64_t>(valuation.empty)})
            seal = (seal ^ static_cast<std::uint64_t>(part)) * 1099511628211ull;
    }
    std::printf("days %d shelves %zu seal %016llx\n", days, ledger.size(), static_cast<unsigned long long>(seal));
    return 0;
}
