// Tundra sleds: compares the runs of dog teams over marked trails and picks the steadiest ones.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sled {

struct Fix {
    double at;
    double speed;
    double pulse;
};

class Source {
public:
    explicit Source(std::uint64_t seed) : state_(seed) {}

    double unit()
    {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return double(state_ >> 40) / double(1 << 24);
    }

private:
    std::uint64_t state_;
};

class Track {
public:
    virtual ~Track() = default;
    virtual const std::vector<Fix>& fixes() const = 0;
    virtual std::string team() const = 0;
};

class Recorded : public Track {
public:
    Recorded(std::string team, std::size_t length, Source& source) : team_(std::move(team))
    {
        fixes_.reserve(length);
        double at = 0;
        for (std::size_t n = 0; n < length; n++) {
            at += 0.5 + source.unit();
            fixes_.push_back({at, 3.0 + 2.0 * source.unit(), 90.0 + 40.0 * source.unit()});
        }
    }

    const std::vector<Fix>& fixes() const override { return fixes_; }
    std::string team() const override { return team_; }

private:
    std::string team_;
    std::vector<Fix> fixes_;
};

double speed_at(const Track& track, double when)
{
    const auto& fixes = track.fixes();
    auto next = std::lower_bound(fixes.begin(), fixes.end(), when, [](const Fix& fix, double at) { return fix.at < at; });
    if (next == fixes.begin())
        return next->speed;
    if (next == fixes.end())
        return fixes.back().speed;
    auto before = next - 1;
    double part = (when - before->at) / (next->at - before->at);
    return before->speed + part * (next->speed - before->speed);
}

double apart(const Track& left, const Track& right, double until, double step)
{
    double sum = 0;
    for (double when = 0; when < until; when += step) {
        double gap = speed_at(left, when) - speed_at(right, when);
        sum += gap * gap;
    }
    return std::sqrt(sum * step / until);
}

double strain(const Track& track)
{
    double load = 0;
    for (const Fix& fix : track.fixes())
        load += std::exp(fix.pulse / 120.0) * std::log1p(fix.speed);
    return load;
}

class Race {
public:
    Race(std::size_t teams, std::size_t length)
    {
        Source source(4711);
        for (std::size_t n = 0; n < teams; n++)
            tracks_.push_back(std::make_unique<Recorded>("team-" + std::to_string(n), length, source));
    }

    std::map<std::string, double> steadiness(double until) const
    {
        std::map<std::string, double> marks;
        for (std::size_t a = 0; a < tracks_.size(); a++) {
            for (std::size_t b = a + 1; b < tracks_.size(); b++) {
                double gap = apart(*tracks_[a], *tracks_[b], until, until / 200);
                marks[tracks_[a]->team()] += gap;
                marks[tracks_[b]->team()] += gap;
            }
        }
        return marks;
    }

    double strain_of_all(int rounds) const
    {
        double sum = 0;
        for (int round = 0; round < rounds; round++)
            for (const auto& track : tracks_)
                sum += strain(*track) / (round + 1);
        return sum;
    }

private:
    std::vector<std::unique_ptr<Track>> tracks_;
};

}  // namespace sled

int main(int argc, char** argv)
{
    std::size_t teams = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 12;
    sled::Race race(teams, 3000);
    double strain = race.strain_of_all(70);
    auto marks = race.steadiness(3000);
    auto best = std::min_element(marks.begin(), marks.end(), [](const auto& l, const auto& r) { return l.second < r.second; });
    std::printf("teams %zu steadiest %s %.6f strain %.3f\n", teams, best->first.c_str(), best->second, strain);
    return 0;
}
