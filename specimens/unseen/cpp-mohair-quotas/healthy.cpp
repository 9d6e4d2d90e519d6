// Plans the nightly transfer of a newspaper archive: walks the table of collections for each link and picks what fits.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace archive {

struct Volume {
    std::uint32_t year;
    std::uint32_t megabytes;
};

struct Collection {
    std::string title;
    std::vector<Volume> volumes;
    std::vector<std::string> subjects;
    int weight = 1;
};

using Holdings = std::map<std::string, Collection>;

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

Holdings stock(std::uint32_t count)
{
    static const char *const towns[] = {"Aldermoor", "Brookhampton", "Carrowdale", "Dunmere", "Eastleigh on Sea", "Fernbridge"};
    static const char *const kinds[] = {"Advertiser", "Weekly Chronicle", "Evening Courier", "Gazette and Herald", "Mercury"};
    static const char *const subjects[] = {"shipping", "parliament", "corn exchange", "theatre", "agricultural shows", "weather"};
    Draw draw(11);
    Holdings holdings;
    for (std::uint32_t number = 0; number < count; number++) {
        Collection one;
        one.title = std::string(towns[draw.below(6)]) + " " + kinds[draw.below(5)];
        for (std::uint32_t year = 1840 + draw.below(60), left = 4 + draw.below(12); left > 0; left--, year++)
            one.volumes.push_back({year, 20 + draw.below(180)});
        for (std::uint32_t left = 1 + draw.below(3); left > 0; left--)
            one.subjects.emplace_back(subjects[draw.below(6)]);
        one.weight = 1 + static_cast<int>(draw.below(5));
        char key[32];
        std::snprintf(key, sizeof key, "NP-%05u-%c%u", number * 7919 % 100000, "ABC"[number % 3], number % 10);
        holdings.emplace(key, std::move(one));
    }
    return holdings;
}

// A link to a reading room: so many megabytes a night, from some year on.
struct Link {
    std::uint32_t room;
    std::uint64_t quota;
    std::uint32_t since;
};

std::uint64_t wanted(const Collection &collection, std::uint32_t since)
{
    std::uint64_t sum = 0;
    for (const Volume &volume : collection.volumes)
        if (volume.year >= since)
            sum += volume.megabytes;
    return sum;
}

class Planner {
public:
    explicit Planner(const Holdings &holdings) : holdings_(holdings) {}

    std::uint64_t plan(const Link &link)
    {
        candidates_.clear();
        for (const std::pair<const std::string, Collection> &entry : holdings_) {
            std::uint64_t size = wanted(entry.second, link.since);
            if (size == 0)
                continue;
            std::uint64_t worth = static_cast<std::uint64_t>(entry.second.weight) * 1000 / (1 + size / 64);
            candidates_.push_back({worth, size, entry.first[4] * 7u + entry.first[5]});
        }
        return fill(link);
    }

    std::uint64_t moved() const { return moved_; }

private:
    struct Candidate {
        std::uint64_t worth;
        std::uint64_t size;
        std::uint32_t shelf;
    };

    // The worthiest first, until the night is over.
    std::uint64_t fill(const Link &link)
    {
        auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(40, candidates_.size()));
        std::partial_sort(candidates_.begin(), last, candidates_.end(), [](const Candidate &a, const Candidate &b) {
            return a.worth != b.worth ? a.worth > b.worth : a.size != b.size ? a.size < b.size : a.shelf < b.shelf;
        });
        std::uint64_t room = link.quota, seal = link.room;
        for (auto one = candidates_.begin(); one != last; ++one) {
            if (one->size > room)
                continue;
            room -= one->size;
            moved_ += one->size;
            seal = seal * 31 + one->shelf;
        }
        return seal;
    }

    const Holdings &holdings_;
    std::vector<Candidate> candidates_;
    std::uint64_t moved_ = 0;
};

std::vector<Link> links(std::uint32_t count)
{
    Draw draw(3);
    std::vector<Link> all;
    for (std::uint32_t room = 0; room < count; room++)
        all.push_back({room, 4000 + draw.below(20000), 1840 + draw.below(50)});
    return all;
}

} // namespace archive

int main(int argc, char **argv)
{
    std::uint32_t rooms = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 20;
    const archive::Holdings holdings = archive::stock(6000);
    archive::Planner planner(holdings);
    std::uint64_t seal = 0;
    for (const archive::Link &link : archive::links(rooms))
        seal = seal * 131 + planner.plan(link);
    std::printf("rooms %u moved %llu seal %016llx\n", rooms, static_cast<unsigned long long>(planner.moved()),
                static_cast<unsigned long long>(seal));
    return 0;
}
