// Dock booking of a freight yard: trucks ask for a time, get the next free slot, and some cancel again.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    std::uint32_t roll(std::uint32_t limit) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>((state_ >> 33) % limit);
    }

private:
    std::uint64_t state_;
};

struct Booking {
    int minute;
    std::uint32_t truck;
};

class Dock {
public:
    explicit Dock(int minutes) {
        for (int minute = 0; minute < minutes; minute += 5) free_.insert(free_.end(), minute);
    }

    int reserve(int wish) {
        auto slot = free_.lower_bound(wish);
        if (slot == free_.end()) slot = free_.begin();
        if (slot == free_.end()) return -1;
        int minute = *slot;
        free_.erase(slot);
        return minute;
    }

    void release(int minute) { free_.insert(minute); }

    std::size_t open() const { return free_.size(); }

private:
    std::set<int> free_;
};

class Yard {
public:
    Yard(int docks, int minutes) : docks_(docks, Dock(minutes)) {}

    bool book(std::uint32_t truck, int wish) {
        std::size_t number = truck % docks_.size();
        int minute = docks_[number].reserve(wish);
        if (minute < 0) return false;
        recent_.push_back({number, {minute, truck}});
        waited_ += minute >= wish ? minute - wish : 0;
        if (recent_.size() > 4000) recent_.pop_front();
        std::string &gate = gates_[static_cast<int>(number % 4)];
        gate.push_back(static_cast<char>('a' + minute % 26));
        if (gate.size() > 4096) settle(gate);
        return true;
    }

    void cancel(std::uint32_t position) {
        if (recent_.empty()) return;
        std::size_t at = position % recent_.size();
        std::swap(recent_[at], recent_.back());
        docks_[recent_.back().first].release(recent_.back().second.minute);
        recent_.pop_back();
        ++cancelled_;
    }

    std::uint64_t close() {
        for (auto &gate : gates_) settle(gate.second);
        return seal_;
    }

    std::size_t open() const {
        std::size_t sum = 0;
        for (const Dock &dock : docks_) sum += dock.open();
        return sum;
    }

    long waited() const { return waited_; }
    int cancelled() const { return cancelled_; }

private:
    void settle(std::string &gate) {
        std::sort(gate.begin(), gate.end());
        for (char letter : gate) seal_ = (seal_ ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
        gate.clear();
    }

    std::vector<Dock> docks_;
    std::deque<std::pair<std::size_t, Booking>> recent_;
    std::map<int, std::string> gates_;
    std::uint64_t seal_ = 14695981039346656037ull;
    long waited_ = 0;
    int cancelled_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
    int requests = argc > 1 ? std::atoi(argv[1]) : 10000;
    const int minutes = 7 * 24 * 60;
    Yard yard(12, minutes);
    Dice dice(20240229);
    int refused = 0;
    for (int at = 0; at < requests; ++at) {
        int wish = static_cast<int>(dice.roll(minutes));
        if (!yard.book(dice.roll(1u << 20), wish)) ++refused;
        if (at % 20 != 0) yard.cancel(dice.roll(1u << 30));
    }
    std::uint64_t seal = yard.close();
    std::printf("requests=%d refused=%d cancelled=%d open=%zu waited=%ld seal=%016llx\n", requests, refused,
                yard.cancelled(), yard.open(), yard.waited(), static_cast<unsigned long long>(seal));
    return 0;
}
