// A smithy: the master lays out pieces of iron, and whichever smith is free takes the next one.
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

struct Piece {
    std::uint32_t number;
    std::uint32_t weight;
};

/// Where the pieces lie.
class Rack {
public:
    void lay(Piece piece) {
        {
            std::lock_guard<std::mutex> hold(door_);
            pieces_.push_back(piece);
        }
        laid_.notify_all();
    }

    void end() {
        {
            std::lock_guard<std::mutex> hold(door_);
            ended_ = true;
        }
        laid_.notify_all();
    }

    bool take(Piece &piece) {
        std::unique_lock<std::mutex> hold(door_);
        laid_.wait(hold, [this] { return ended_ || !pieces_.empty(); });
        if (pieces_.empty())
            return false;
        piece = pieces_.front();
        pieces_.pop_front();
        return true;
    }

private:
    std::mutex door_;
    std::condition_variable laid_;
    std::deque<Piece> pieces_;
    bool ended_ = false;
};

/// What has been made; the master waits for each order of a few pieces.
class Bench {
public:
    void put(std::uint32_t value) {
        std::lock_guard<std::mutex> hold(door_);
        sum_ += value;
        if (++made_ == wanted_)
            ready_.notify_one();
    }

    std::uint64_t await(std::uint32_t wanted) {
        std::unique_lock<std::mutex> hold(door_);
        wanted_ = wanted;
        ready_.wait(hold, [this] { return made_ >= wanted_; });
        return sum_;
    }

private:
    std::mutex door_;
    std::condition_variable ready_;
    std::uint64_t sum_ = 0;
    std::uint32_t made_ = 0, wanted_ = 0;
};

std::uint32_t forge(const Piece &piece) {
    std::uint32_t heat = piece.weight;
    for (int blow = 0; blow < 1500; blow++)
        heat = heat * 1664525u + (heat >> 9) + piece.number;
    return heat % 1000;
}

void smith(Rack &rack, Bench &bench) {
    Piece piece;
    while (rack.take(piece))
        bench.put(forge(piece));
}

int main(int argc, char **argv) {
    const std::uint32_t orders = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 100;
    Rack rack;
    Bench bench;
    std::vector<std::thread> smiths;
    for (int number = 0; number < 48; number++)
        smiths.emplace_back([&] { smith(rack, bench); });
    std::uint64_t sum = 0;
    std::uint32_t laid = 0;
    for (std::uint32_t order = 0; order < orders; order++) {
        for (std::uint32_t piece = 0; piece < 3; piece++)
            rack.lay({laid++, 500 + order % 97});
        sum = bench.await(laid);
    }
    rack.end();
    for (std::thread &smith : smiths)
        smith.join();
    std::cout << laid << " pieces, worth " << sum << '\n';
}
