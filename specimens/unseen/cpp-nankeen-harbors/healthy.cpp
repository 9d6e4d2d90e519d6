// Finds the dues of ships that sail from any harbour of a coast to any other: cheapest courses over a net of sea marks.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

namespace coast {

using Mark = std::uint32_t;

struct Leg {
    Mark to;
    std::uint32_t dues;
};

class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}

    std::uint32_t below(std::uint32_t limit)
    {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state_ >> 33) % limit;
    }

private:
    std::uint64_t state_;
};

// The chart: all legs in one row, with the place where those of a mark begin.
class Chart {
public:
    Chart(Mark wide, Mark high)
    {
        Draw draw(41);
        const Mark count = wide * high;
        begin_.reserve(count + 1);
        for (Mark mark = 0; mark < count; mark++) {
            begin_.push_back(static_cast<std::uint32_t>(legs_.size()));
            const Mark x = mark % wide, y = mark / wide;
            if (x + 1 < wide)
                legs_.push_back({mark + 1, 3 + draw.below(40)});
            if (x > 0)
                legs_.push_back({mark - 1, 3 + draw.below(40)});
            if (y + 1 < high)
                legs_.push_back({mark + wide, 3 + draw.below(40)});
            if (y > 0)
                legs_.push_back({mark - wide, 3 + draw.below(40)});
        }
        begin_.push_back(static_cast<std::uint32_t>(legs_.size()));
    }

    Mark marks() const { return static_cast<Mark>(begin_.size() - 1); }
    const Leg *first(Mark mark) const { return legs_.data() + begin_[mark]; }
    const Leg *last(Mark mark) const { return legs_.data() + begin_[mark + 1]; }

private:
    std::vector<Leg> legs_;
    std::vector<std::uint32_t> begin_;
};

// One search after the other; the arrays are kept from search to search.
class Pilot {
public:
    explicit Pilot(const Chart &chart) : chart_(chart), dues_(chart.marks()), turn_(chart.marks(), 0) {}

    const std::vector<std::uint32_t> &from(Mark start)
    {
        now_++;
        reach(start, 0);
        while (!open_.empty()) {
            const auto [dues, mark] = open_.top();
            open_.pop();
            if (dues != dues_[mark])
                continue;
            for (const Leg *leg = chart_.first(mark); leg != chart_.last(mark); ++leg)
                reach(leg->to, dues + leg->dues);
        }
        return dues_;
    }

private:
    using Place = std::pair<std::uint32_t, Mark>;

    void reach(Mark mark, std::uint32_t dues)
    {
        if (turn_[mark] == now_ && dues_[mark] <= dues)
            return;
        turn_[mark] = now_;
        dues_[mark] = dues;
        open_.emplace(dues, mark);
    }

    const Chart &chart_;
    std::vector<std::uint32_t> dues_;
    std::vector<std::uint32_t> turn_;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> open_;
    std::uint32_t now_ = 0;
};

// Harbours which wait for a pilot, and the tables of those that are done.
class Bureau {
public:
    explicit Bureau(std::vector<Mark> harbours) : harbours_(std::move(harbours)) {}

    bool take(std::size_t &place)
    {
        std::lock_guard<std::mutex> held(lock_);
        if (next_ == harbours_.size())
            return false;
        place = next_++;
        return true;
    }

    void enter(std::size_t place, std::unique_ptr<std::string> line)
    {
        std::lock_guard<std::mutex> held(lock_);
        lines_[place] = std::move(line);
    }

    const std::vector<Mark> &harbours() const { return harbours_; }

    std::uint64_t seal() const
    {
        std::uint64_t seal = 1469598103934665603ULL;
        for (const auto &[place, line] : lines_)
            for (unsigned char letter : *line)
                seal = (seal ^ letter) * 1099511628211ULL;
        return seal;
    }

    std::size_t entered() const { return lines_.size(); }

private:
    std::mutex lock_;
    std::vector<Mark> harbours_;
    std::map<std::size_t, std::unique_ptr<std::string>> lines_;
    std::size_t next_ = 0;
};

std::unique_ptr<std::string> tabulate(const std::vector<Mark> &harbours, const std::vector<std::uint32_t> &dues)
{
    auto line = std::make_unique<std::string>();
    for (Mark harbour : harbours)
        *line += std::to_string(dues[harbour]) + (line->size() % 5 == 0 ? ';' : ',');
    return line;
}

void work(const Chart &chart, Bureau &bureau)
{
    Pilot pilot(chart);
    std::size_t place = 0;
    while (bureau.take(place))
        bureau.enter(place, tabulate(bureau.harbours(), pilot.from(bureau.harbours()[place])));
}

} // namespace coast

int main(int argc, char **argv)
{
    const std::uint32_t count = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 20;
    const coast::Chart chart(240, 160);
    coast::Draw draw(8);
    std::vector<coast::Mark> harbours;
    for (std::uint32_t number = 0; number < count; number++)
        harbours.push_back(draw.below(chart.marks()));
    coast::Bureau bureau(std::move(harbours));
    std::list<std::thread> pilots;
    for (unsigned number = std::max(1u, std::min(4u, std::thread::hardware_concurrency())); number > 0; number--)
        pilots.emplace_back(coast::work, std::cref(chart), std::ref(bureau));
    for (std::thread &pilot : pilots)
        pilot.join();
    std::printf("harbours %zu seal %016llx\n", bureau.entered(), static_cast<unsigned long long>(bureau.seal()));
    return 0;
}
