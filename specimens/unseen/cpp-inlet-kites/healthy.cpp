// Shows the wind at the kite beaches of an inlet: every round asks all masts and draws the board.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Query {
    std::uint32_t mast;
    std::uint32_t round;
};

struct Reading {
    std::uint32_t mast;
    std::uint32_t knots[12];
};

bool whole(int link, void *data, std::size_t bytes, bool out) {
    auto *at = static_cast<char *>(data);
    while (bytes > 0) {
        const ssize_t moved = out ? ::send(link, at, bytes, MSG_NOSIGNAL) : ::recv(link, at, bytes, 0);
        if (moved <= 0) {
            return false;
        }
        at += moved;
        bytes -= static_cast<std::size_t>(moved);
    }
    return true;
}

// The masts stand far out; one takes its samples while it is being asked.
class MastSite {
  public:
    explicit MastSite(std::size_t masts) {
        door_ = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        if (::bind(door_, reinterpret_cast<sockaddr *>(&where), size) != 0 || ::listen(door_, 64) != 0) {
            std::perror("masts");
            std::exit(1);
        }
        ::getsockname(door_, reinterpret_cast<sockaddr *>(&where), &size);
        address_ = where;
        porter_ = std::thread([this, masts] {
            for (std::size_t i = 0; i < masts; i++) {
                const int link = ::accept(door_, nullptr, nullptr);
                people_.emplace_back([link] { serve(link); });
            }
        });
    }

    ~MastSite() {
        porter_.join();
        for (auto &person : people_) {
            person.join();
        }
        ::close(door_);
    }

    const sockaddr_in &address() const { return address_; }

  private:
    static void serve(int link) {
        Query query{};
        while (whole(link, &query, sizeof query, false)) {
            Reading reading{};
            reading.mast = query.mast;
            std::uint32_t state = query.mast * 7919u + query.round * 104729u;
            for (auto &knots : reading.knots) {
                state = state * 1664525u + 1013904223u;
                knots = 4 + (state >> 16) % 22;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(7 + query.mast % 4));
            whole(link, &reading, sizeof reading, true);
        }
        ::close(link);
    }

    int door_ = -1;
    sockaddr_in address_{};
    std::thread porter_;
    std::vector<std::thread> people_;
};

class Mast {
  public:
    Mast(std::uint32_t number, const sockaddr_in &address) : number_(number), link_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const int on = 1;
        ::setsockopt(link_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (::connect(link_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
            std::perror("mast");
            std::exit(1);
        }
    }
    ~Mast() { ::close(link_); }

    Reading sample(std::uint32_t round) {
        Query query{number_, round};
        Reading reading{};
        if (!whole(link_, &query, sizeof query, true) || !whole(link_, &reading, sizeof reading, false)) {
            std::exit(1);
        }
        return reading;
    }

  private:
    std::uint32_t number_;
    int link_;
};

class Board {
  public:
    explicit Board(std::size_t masts) : rows_(masts) {}

    void note(const Reading &reading) {
        const std::lock_guard<std::mutex> hold(guard_);
        rows_[reading.mast] = reading;
    }

    std::string drawn() {
        const std::lock_guard<std::mutex> hold(guard_);
        std::string text;
        char cell[48];
        for (const Reading &row : rows_) {
            double sum = 0, most = 0;
            for (const auto knots : row.knots) {
                sum += knots;
                most = std::max(most, static_cast<double>(knots));
            }
            std::snprintf(cell, sizeof cell, "%02u %5.1f kn, gusts %4.0f\n", row.mast, sum / 12, most);
            text += cell;
        }
        return text;
    }

  private:
    std::mutex guard_;
    std::vector<Reading> rows_;
};

class Crew {
  public:
    Crew(std::vector<std::unique_ptr<Mast>> &masts, Board &board) : masts_(masts), board_(board) {}

    void dispatch(std::size_t number, std::uint32_t round) {
        trips_.push_back(std::async(std::launch::async, [this, number, round] {
            board_.note(masts_[number]->sample(round));
            done_.fetch_add(1);
        }));
    }

    std::size_t settle() {
        trips_.clear();
        return done_.exchange(0);
    }

  private:
    std::vector<std::unique_ptr<Mast>> &masts_;
    Board &board_;
    std::vector<std::future<void>> trips_;
    std::atomic<std::size_t> done_{0};
};

} // namespace

int main(int argc, char **argv) {
    const std::uint32_t rounds = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 20;
    constexpr std::size_t kMasts = 10;
    MastSite site(kMasts);
    std::vector<std::unique_ptr<Mast>> masts;
    for (std::uint32_t i = 0; i < kMasts; i++) {
        masts.push_back(std::make_unique<Mast>(i, site.address()));
    }
    Board board(kMasts);
    Crew crew(masts, board);
    std::uint64_t mark = 1469598103934665603ull;
    std::size_t heard = 0;
    for (std::uint32_t round = 0; round < rounds; round++) {
        for (std::size_t i = 0; i < kMasts; i++) {
            crew.dispatch(i, round);
        }
        heard += crew.settle();
        for (const char c : board.drawn()) {
            mark = (mark ^ static_cast<unsigned char>(c)) * 1099511628211ull;
        }
    }
    masts.clear();
    std::printf("rounds %u heard %zu mark %016llx\n", rounds, heard, static_cast<unsigned long long>(mark));
    return 0;
}
