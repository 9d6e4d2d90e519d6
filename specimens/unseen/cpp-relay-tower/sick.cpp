// A relay tower fetches the weather of many stations; each station answers over its own socket.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace {

struct Report {
    std::uint32_t station;
    std::int32_t tenths;
    std::uint32_t wind;
};

// A station at the far end of a socket: needs a moment to read its instruments.
class Station {
public:
    explicit Station(std::uint32_t number) : number_(number) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0)
            throw std::runtime_error("no socket");
        keeper_ = std::thread([this] { keep(); });
    }

    ~Station() {
        close(ends_[0]);
        keeper_.join();
        close(ends_[1]);
    }

    Station(const Station &) = delete;
    Station &operator=(const Station &) = delete;

    Report ask(std::uint32_t hour) {
        Report report{};
        if (write(ends_[0], &hour, sizeof hour) != sizeof hour || read(ends_[0], &report, sizeof report) != sizeof report)
            throw std::runtime_error("station " + std::to_string(number_) + " is silent");
        return report;
    }

private:
    void keep() {
        std::uint32_t hour;
        while (read(ends_[1], &hour, sizeof hour) == sizeof hour) {
            std::this_thread::sleep_for(std::chrono::milliseconds(12));
            const std::uint32_t mix = (number_ * 7919 + hour * 104729) % 65521;
            const Report report{number_, static_cast<std::int32_t>(mix % 400) - 120, mix % 33};
            if (write(ends_[1], &report, sizeof report) != sizeof report)
                return;
        }
    }

    std::uint32_t number_;
    int ends_[2];
    std::thread keeper_;
};

class Board {
public:
    void post(const Report &report) {
        std::lock_guard<std::mutex> guard(lock_);
        reports_.push_back(report);
    }

    std::uint64_t close_hour() {
        std::sort(reports_.begin(), reports_.end(),
                  [](const Report &one, const Report &other) { return one.station < other.station; });
        std::uint64_t sum = 0;
        for (const Report &report : reports_)
            sum = sum * 131 + static_cast<std::uint64_t>(report.tenths + 200) * 40 + report.wind;
        reports_.clear();
        return sum;
    }

private:
    std::mutex lock_;
    std::vector<Report> reports_;
};

std::uint32_t smooth(const Report &report) {
    std::vector<std::uint32_t> curve(2000);
    std::iota(curve.begin(), curve.end(), report.wind);
    return std::accumulate(curve.begin(), curve.end(), 0u, [](std::uint32_t sum, std::uint32_t at) { return sum * 3 + at; });
}

class Tower {
public:
    explicit Tower(std::uint32_t stations) {
        for (std::uint32_t i = 0; i < stations; ++i)
            stations_.push_back(std::make_unique<Station>(i));
    }

    std::uint64_t hour(std::uint32_t hour) {
        for (auto &station : stations_)
            std::async(std::launch::async, [this, hour, far = station.get()] {
                Report report = far->ask(hour);
                report.wind += smooth(report) % 2;
                board_.post(report);
            });
        return board_.close_hour();
    }

private:
    std::vector<std::unique_ptr<Station>> stations_;
    Board board_;
};

} // namespace

int main(int argc, char **argv) {
    const std::uint32_t hours = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 1;
    std::uint64_t sum = 0;
    Tower tower(10);
    for (std::uint32_t hour = 0; hour < hours; ++hour)
        sum ^= tower.hour(hour) + hour;
    std::printf("weather %llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
