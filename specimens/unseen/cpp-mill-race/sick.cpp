// A mill race with thousands of small parts: each hour every part takes the water and hands on what is left.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace mill {

// What the water does in an hour, summed over all parts.
struct Tally {
    std::uint64_t power = 0;
    std::uint64_t wear = 0;
    std::uint32_t jams = 0;
};

class Part {
  public:
    explicit Part(std::uint32_t size) : size_(size) {}
    virtual ~Part() = default;
    virtual void work(std::uint32_t water, Tally &tally) = 0;
    virtual int rank() const = 0;

  protected:
    std::uint32_t size_;
    std::uint32_t age_ = 0;
};

class Wheel : public Part {
  public:
    using Part::Part;
    void work(std::uint32_t water, Tally &tally) override { tally.power += (water * size_) >> 5; }
    int rank() const override { return 0; }
};

class Sluice : public Part {
  public:
    using Part::Part;
    void work(std::uint32_t water, Tally &tally) override { tally.wear += water ^ size_; }
    int rank() const override { return 1; }
};

class Bearing : public Part {
  public:
    using Part::Part;
    void work(std::uint32_t water, Tally &tally) override {
        age_ += water & 1;
        tally.wear += age_;
    }
    int rank() const override { return 2; }
};

class Grate : public Part {
  public:
    using Part::Part;
    void work(std::uint32_t water, Tally &tally) override { tally.jams += (water + size_) & 1; }
    int rank() const override { return 3; }
};

class Stone : public Part {
  public:
    using Part::Part;
    void work(std::uint32_t water, Tally &tally) override {
        tally.power += water;
        tally.wear += size_ >> 3;
    }
    int rank() const override { return 4; }
};

class Race {
  public:
    explicit Race(std::size_t parts) {
        parts_.reserve(parts);
        for (std::size_t place = 0; place < parts; ++place)
            parts_.push_back(deliver(chance()));
    }

    Tally hour(std::uint32_t water) {
        Tally tally;
        for (const auto &part : parts_)
            part->work(water, tally);
        return tally;
    }

  private:
    std::uint32_t chance() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }

    // The parts are taken on as the carts bring them.
    static std::unique_ptr<Part> deliver(std::uint32_t draw) {
        std::uint32_t size = 1 + (draw >> 8) % 500;
        switch (draw % 5) {
        case 0: return std::make_unique<Wheel>(size);
        case 1: return std::make_unique<Sluice>(size);
        case 2: return std::make_unique<Bearing>(size);
        case 3: return std::make_unique<Grate>(size);
        default: return std::make_unique<Stone>(size);
        }
    }

    std::vector<std::unique_ptr<Part>> parts_;
    std::uint32_t state_ = 2463534242u;
};

// The miller's log: one short line for each day.
std::string log_line(std::uint32_t day, const Tally &tally) {
    return std::to_string(day) + ' ' + std::to_string(tally.power) + ' ' + std::to_string(tally.jams) + '\n';
}

} // namespace mill

int main(int argc, char **argv) {
    std::uint32_t hours = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 100;
    mill::Race race(16000);
    std::uint64_t power = 0, wear = 0, sum = 5381;
    for (std::uint32_t hour = 0; hour < hours; ++hour) {
        mill::Tally tally = race.hour(40 + hour * 7 % 60);
        power += tally.power;
        wear += tally.wear;
        for (char letter : mill::log_line(hour / 24, tally))
            sum = sum * 33 + static_cast<unsigned char>(letter);
    }
    std::printf("hours %u power %llu wear %llu log %016llx\n", hours, static_cast<unsigned long long>(power),
                static_cast<unsigned long long>(wear), static_cast<unsigned long long>(sum));
}
