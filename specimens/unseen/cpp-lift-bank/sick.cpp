// Simulates the lifts of a tower; the last minutes before closing are replayed for the engineer.
#include <cstdint>
#include <cstring>
#include <deque>
#include <iomanip>
#include <iostream>
#include <queue>
#include <sstream>
#include <vector>

struct Call {
    std::uint32_t at, from, to;
    bool operator<(const Call &other) const { return at > other.at; }
};

struct Moment {
    std::uint32_t second;
    std::uint16_t lift;
    std::int16_t floor;
    std::int16_t target;
    std::uint16_t riders;
    float load, speed, current, heat;
    std::uint64_t doors[3];
};

class Recorder {
public:
    static constexpr std::size_t Replay = 2000;

    void note(const Moment &moment) { moments_.push_back(moment); }

    std::uint64_t replay() const {
        std::uint64_t sum = 17;
        const std::size_t from = moments_.size() > Replay ? moments_.size() - Replay : 0;
        for (std::size_t i = from; i < moments_.size(); ++i)
            sum = sum * 31 + moments_[i].doors[0] + static_cast<std::uint64_t>(moments_[i].floor) + moments_[i].riders;
        return sum;
    }

private:
    std::deque<Moment> moments_;
};

class Lift {
public:
    explicit Lift(std::uint16_t number) : number_(number), floor_(static_cast<std::int16_t>(number * 3)) {}

    void serve(const Call &call) {
        target_ = static_cast<std::int16_t>(call.to);
        riders_ = static_cast<std::uint16_t>((riders_ + call.from) % 13);
        doors_ ^= call.at;
    }

    void second(std::uint32_t now, Recorder &recorder) {
        if (floor_ != target_)
            floor_ = static_cast<std::int16_t>(floor_ + (floor_ < target_ ? 1 : -1));
        heat_ += (static_cast<float>(riders_) * 0.01f - heat_) * 0.001f;
        Moment moment{};
        moment.second = now;
        moment.lift = number_;
        moment.floor = floor_;
        moment.target = target_;
        moment.riders = riders_;
        moment.load = static_cast<float>(riders_) * 75.0f;
        moment.heat = heat_;
        moment.doors[0] = doors_;
        recorder.note(moment);
    }

private:
    std::uint16_t number_;
    std::int16_t floor_;
    std::int16_t target_ = 0;
    std::uint16_t riders_ = 0;
    std::uint64_t doors_ = 0;
    float heat_ = 0;
};

class Tower {
public:
    explicit Tower(int lifts) {
        for (int i = 0; i < lifts; ++i)
            lifts_.emplace_back(static_cast<std::uint16_t>(i));
    }

    void plan(std::uint32_t seconds) {
        std::uint32_t dice = 99;
        for (std::uint32_t at = 0; at < seconds; at += 5) {
            dice = dice * 1103515245u + 12345u;
            calls_.push({at, (dice >> 16) % 40, (dice >> 8) % 40});
        }
    }

    void run(std::uint32_t seconds) {
        for (std::uint32_t now = 0; now < seconds; ++now) {
            for (; !calls_.empty() && calls_.top().at <= now; calls_.pop())
                lifts_[(calls_.top().from + now) % lifts_.size()].serve(calls_.top());
            for (auto &lift : lifts_)
                lift.second(now, recorder_);
        }
    }

    std::string report() const {
        std::ostringstream out;
        out << "replay " << std::hex << std::setw(16) << std::setfill('0') << recorder_.replay();
        return out.str();
    }

private:
    std::vector<Lift> lifts_;
    std::priority_queue<Call> calls_;
    Recorder recorder_;
};

int main(int argc, char **argv) {
    const auto seconds = static_cast<std::uint32_t>(argc > 1 ? std::stoul(argv[1]) : 1000);
    Tower tower(24);
    tower.plan(seconds);
    tower.run(seconds);
    std::cout << tower.report() << '\n';
}
