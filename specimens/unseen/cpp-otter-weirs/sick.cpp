// Otter weirs: a warden asks two surveyors about one weir after the other; what to ask next depends on the last report.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

struct Message {
    uint32_t weir = 0;
    uint32_t depth = 0;
    uint64_t tracks = 0;
    bool last = false;
};

// A bounded queue between threads; both sides look up now and then, so that a closed channel is noticed.
class Channel {
public:
    explicit Channel(std::size_t room) : room_(room) {}

    bool put(const Message &message)
    {
        std::unique_lock<std::mutex> held(guard_);
        while (waiting_.size() >= room_ && !closed_)
            space_.wait_for(held, patience);
        if (closed_)
            return false;
        waiting_.push_back(message);
        held.unlock();
        space_.notify_one();
        return true;
    }

    bool take(Message &message)
    {
        std::unique_lock<std::mutex> held(guard_);
        while (waiting_.empty() && !closed_)
            filled_.wait_for(held, patience);
        if (waiting_.empty())
            return false;
        message = waiting_.front();
        waiting_.pop_front();
        held.unlock();
        space_.notify_one();
        return true;
    }

    void close()
    {
        std::lock_guard<std::mutex> held(guard_);
        closed_ = true;
        filled_.notify_all();
        space_.notify_all();
    }

private:
    static constexpr auto patience = 5ms;
    std::mutex guard_;
    std::condition_variable filled_;
    std::condition_variable space_;
    std::deque<Message> waiting_;
    std::size_t room_;
    bool closed_ = false;
};

struct River {
    std::vector<uint32_t> bed;

    explicit River(std::size_t length) : bed(length)
    {
        uint32_t state = 90125;
        for (auto &stone : bed) {
            state = state * 1664525u + 1013904223u;
            stone = state >> 12;
        }
    }
};

// Reads the tracks on both banks of a weir.
uint64_t read_banks(const River &river, uint32_t weir, uint32_t depth)
{
    uint64_t tracks = weir;
    std::size_t start = std::size_t(weir) * 769 % river.bed.size();
    for (uint32_t step = 0; step < 250000; step++) {
        uint32_t stone = river.bed[(start + step) % river.bed.size()];
        tracks = tracks * 31 + (stone ^ depth);
        tracks ^= tracks >> 29;
    }
    return tracks;
}

class Surveyor {
public:
    Surveyor(const River &river, Channel &asked, Channel &told) : river_(river), asked_(asked), told_(told)
    {
        thread_ = std::thread([this] { walk(); });
    }
    ~Surveyor() { thread_.join(); }

private:
    void walk()
    {
        Message message;
        while (asked_.take(message)) {
            message.tracks = read_banks(river_, message.weir, message.depth);
            if (!told_.put(message) || message.last)
                break;
        }
    }

    const River &river_;
    Channel &asked_;
    Channel &told_;
    std::thread thread_;
};

class Warden {
public:
    Warden(Channel &upper, Channel &lower, Channel &reports) : upper_(upper), lower_(lower), reports_(reports) {}

    bool season(uint32_t days)
    {
        for (uint32_t day = 0; day < days; day++) {
            Message ask{next_ % 4099, 3 + day % 11, 0, false};
            Channel &to = next_ % 2 ? upper_ : lower_;
            if (!to.put(ask) || !reports_.take(ask))
                return false;
            enter(ask);
        }
        return true;
    }

    uint64_t seal() const { return seal_; }
    uint32_t holts() const { return holts_; }

private:
    void enter(const Message &report)
    {
        seal_ = (seal_ ^ report.tracks) * 1099511628211u;
        holts_ += report.tracks % 13 == 0;
        next_ = uint32_t(report.tracks >> 17) + report.weir;
    }

    Channel &upper_;
    Channel &lower_;
    Channel &reports_;
    uint64_t seal_ = 14695981039346656037u;
    uint32_t holts_ = 0;
    uint32_t next_ = 1;
};

int main(int argc, char **argv)
{
    uint32_t days = argc > 1 ? uint32_t(std::atoi(argv[1])) : 20;
    River river(1 << 20);
    Channel upper(4), lower(4), reports(8);
    uint64_t seal = 0;
    uint32_t holts = 0;
    {
        Surveyor first(river, upper, reports), second(river, lower, reports);
        Warden warden(upper, lower, reports);
        if (!warden.season(days))
            return 1;
        seal = warden.seal();
        holts = warden.holts();
        upper.close();
        lower.close();
        reports.close();
    }
    std::printf("%u days, %u holts, seal %016llx\n", days, holts, static_cast<unsigned long long>(seal));
    return 0;
}
