// Conductors clip tickets on several tram lines; the depot keeps the book of all stops.
#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kStops = 64;
constexpr int kConductors = 4;

struct Ticket {
    int stop;
    int zone;
    std::uint32_t fare;
};

struct Book {
    std::array<std::uint64_t, kStops> fares{};
    std::array<std::uint32_t, kStops> riders{};
    std::uint32_t marks = 0;

    void enter(const Ticket &ticket, std::uint32_t mark) {
        marks ^= mark;
        fares[ticket.stop] += ticket.fare;
        riders[ticket.stop] += 1;
    }

    void merge(const Book &other) {
        marks ^= other.marks;
        for (int stop = 0; stop < kStops; ++stop) {
            fares[stop] += other.fares[stop];
            riders[stop] += other.riders[stop];
        }
    }
};

std::uint32_t stamp(const Ticket &ticket) {
    std::uint32_t mark = ticket.fare;
    for (int round = 0; round < 160; ++round)
        mark = (mark ^ static_cast<std::uint32_t>(ticket.stop + round)) * 16777619u;
    return mark;
}

class Depot {
public:
    void clock_in(const Ticket &ticket) {
        std::lock_guard<std::mutex> guard(lock_);
        book_.enter(ticket, stamp(ticket));
    }

    void hand_over(const Book &book) {
        std::lock_guard<std::mutex> guard(lock_);
        book_.merge(book);
    }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (int stop = 0; stop < kStops; ++stop)
            sum = sum * 17 + book_.fares[stop] + book_.riders[stop];
        return sum ^ book_.marks;
    }

    void watch() {
        std::unique_lock<std::mutex> guard(gate_);
        closed_.wait(guard, [this] { return closing_; });
    }

    void close() {
        {
            std::lock_guard<std::mutex> guard(gate_);
            closing_ = true;
        }
        closed_.notify_all();
    }

private:
    std::mutex lock_;
    Book book_;
    std::mutex gate_;
    std::condition_variable closed_;
    bool closing_ = false;
};

class Line {
public:
    explicit Line(std::uint32_t number) : state_(number * 2654435761u + 1) {}

    Ticket next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        Ticket ticket;
        ticket.stop = static_cast<int>(state_ % kStops);
        ticket.zone = static_cast<int>((state_ >> 8) % 5);
        ticket.fare = fare_of(ticket.zone);
        return ticket;
    }

private:
    static std::uint32_t fare_of(int zone) {
        std::uint32_t fare = 120;
        for (int step = 0; step < zone; ++step)
            fare = fare * 9 / 8 + 15;
        return fare;
    }

    std::uint32_t state_;
};

void ride(Depot &depot, int conductor, long tickets) {
    Line line(static_cast<std::uint32_t>(conductor) + 1);
    Book book;
    for (long i = 0; i < tickets; ++i)
    {
        const Ticket ticket = line.next();
        book.enter(ticket, stamp(ticket));
    }
    depot.hand_over(book);
}

} // namespace

int main(int argc, char **argv) {
    const long tickets = argc > 1 ? std::atol(argv[1]) : 100000;
    Depot depot;
    std::thread watchman([&depot] { depot.watch(); });
    std::vector<std::thread> conductors;
    for (int i = 0; i < kConductors; ++i)
        conductors.emplace_back(ride, std::ref(depot), i, tickets);
    for (auto &conductor : conductors)
        conductor.join();
    depot.close();
    watchman.join();
    std::printf("takings %llx\n", static_cast<unsigned long long>(depot.total()));
    return 0;
}
