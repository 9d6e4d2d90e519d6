// Hands out delivery slots: each order gets the first free minute after the one it asked for.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Order {
    std::uint32_t number;
    std::uint32_t wished;
    std::string district;
};

struct Booking {
    std::uint32_t number;
    std::uint32_t minute;
    std::uint32_t late;
};

/// Minutes of the season which nobody has taken yet.
class Calendar {
public:
    explicit Calendar(std::uint32_t minutes)
    {
        for (std::uint32_t minute = 0; minute < minutes; ++minute) {
            if (minute % 5 != 0) {
                open_.insert(open_.end(), minute);
            }
        }
    }

    /// The first open minute from the wished one on, which is then taken.
    std::uint32_t take(std::uint32_t wished)
    {
        auto found = std::lower_bound(open_.begin(), open_.end(), wished);
        if (found == open_.end()) {
            found = open_.begin();
        }
        const std::uint32_t minute = *found;
        open_.erase(found);
        return minute;
    }

    void give_back(std::uint32_t minute) { open_.insert(minute); }

    std::size_t left() const { return open_.size(); }

private:
    std::set<std::uint32_t> open_;
};

std::vector<Order> orders(std::uint32_t count, std::uint32_t minutes)
{
    std::mt19937 random(20);
    std::vector<Order> list;
    list.reserve(count);
    for (std::uint32_t n = 0; n < count; ++n) {
        list.push_back({n, static_cast<std::uint32_t>(random() % minutes), "district-" + std::to_string(random() % 60)});
    }
    return list;
}

/// Who is late by how much, in bands of ten minutes.
class Ledger {
public:
    void enter(const Order &order, const Booking &booking)
    {
        bands_[booking.late / 10]++;
        districts_[order.district] += booking.late;
        mark_ = (mark_ ^ booking.minute) * 1099511628211ull;
    }

    std::string worst() const
    {
        auto top = std::max_element(districts_.begin(), districts_.end(), [](const auto &a, const auto &b) {
            return a.second != b.second ? a.second < b.second : a.first > b.first;
        });
        return top == districts_.end() ? "none" : top->first;
    }

    std::size_t bands() const { return bands_.size(); }
    std::uint64_t mark() const { return mark_; }

private:
    std::map<std::uint32_t, std::uint32_t> bands_;
    std::unordered_map<std::string, std::uint64_t> districts_;
    std::uint64_t mark_ = 14695981039346656037ull;
};

std::vector<Booking> plan(Calendar &calendar, const std::vector<Order> &list, Ledger &ledger)
{
    std::vector<Booking> bookings;
    bookings.reserve(list.size());
    for (const Order &order : list) {
        const std::uint32_t minute = calendar.take(order.wished);
        const Booking booking{order.number, minute, minute >= order.wished ? minute - order.wished : 0};
        ledger.enter(order, booking);
        bookings.push_back(booking);
        if (order.number % 9 == 8) {
            calendar.give_back(bookings[order.number / 2].minute);
        }
    }
    return bookings;
}

} // namespace

int main(int argc, char **argv)
{
    const std::uint32_t count = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 1000;
    const std::uint32_t minutes = count * 3;
    Calendar calendar(minutes);
    Ledger ledger;
    std::vector<Booking> bookings = plan(calendar, orders(count, minutes), ledger);
    std::sort(bookings.begin(), bookings.end(), [](const Booking &a, const Booking &b) { return a.late > b.late; });
    std::printf("%zu bookings, %zu open, latest %u, %zu bands, worst %s, %016llx\n", bookings.size(), calendar.left(),
                bookings.front().late, ledger.bands(), ledger.worst().c_str(), static_cast<unsigned long long>(ledger.mark()));
}
