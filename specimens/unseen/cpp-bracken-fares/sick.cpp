// Prices a day's coach journeys: reads the journeys, looks up the tariff of each region and adds up the takings.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

struct Journey {
    std::string region;
    unsigned miles = 0;
    unsigned hour = 0;
    unsigned riders = 0;
};

struct Tariff {
    std::string name;
    unsigned base = 0;
    std::vector<unsigned> by_mile;
    std::vector<unsigned> by_hour;

    unsigned price(const Journey &journey) const
    {
        unsigned mile = journey.miles < by_mile.size() ? by_mile[journey.miles] : by_mile.back();
        return (base + mile) * by_hour[journey.hour % by_hour.size()] / 100;
    }
};

class TariffBook {
public:
    void add(const std::string &region, unsigned base, unsigned miles)
    {
        Tariff tariff;
        tariff.name = region + " standard";
        tariff.base = base;
        for (unsigned mile = 0; mile < miles; mile++)
            tariff.by_mile.push_back(mile * 12 - mile * mile / (miles * 2));
        for (unsigned hour = 0; hour < 24; hour++)
            tariff.by_hour.push_back(hour > 6 && hour < 10 ? 130 : 100);
        tariffs_[region] = tariff;
    }

    Tariff of(const std::string &region) const
    {
        auto found = tariffs_.find(region);
        return found != tariffs_.end() ? found->second : tariffs_.at("home");
    }

private:
    std::map<std::string, Tariff> tariffs_;
};

class Ticketing {
public:
    explicit Ticketing(const TariffBook &book) : book_(book) {}

    void take(const Journey &journey)
    {
        unsigned fare = fare_of(journey);
        takings_ += std::uint64_t(fare) * journey.riders;
        serial_ = stamp(journey, fare);
        sold_++;
    }

    std::uint64_t takings() const { return takings_; }
    std::uint32_t serial() const { return serial_; }
    unsigned sold() const { return sold_; }

private:
    unsigned fare_of(const Journey &journey) const
    {
        const Tariff &tariff = book_.of(journey.region);
        unsigned fare = tariff.price(journey);
        return journey.riders > 8 ? fare * 9 / 10 : fare;
    }

    std::uint32_t stamp(const Journey &journey, unsigned fare) const
    {
        std::uint32_t mark = serial_ ^ fare;
        for (unsigned round = 0; round < 150; round++)
            mark = (mark ^ (journey.miles + round)) * 16777619u + (mark >> 13);
        return mark;
    }

    const TariffBook &book_;
    std::uint64_t takings_ = 0;
    std::uint32_t serial_ = 1;
    unsigned sold_ = 0;
};

static const char *const regions[] = {"north", "fens", "coast", "home", "moor"};

static void write_day(const std::string &path, unsigned count)
{
    std::ofstream out(path);
    std::uint32_t state = 31;
    for (unsigned number = 0; number < count; number++) {
        state = state * 1664525u + 1013904223u;
        out << regions[(state >> 12) % 5] << ' ' << (state >> 7) % 20000 << ' ' << (state >> 20) % 24 << ' '
            << 1 + (state >> 28) << '\n';
    }
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000;
    const char *folder = std::getenv("TMPDIR");
    std::string path = std::string(folder ? folder : "/tmp") + "/day." + std::to_string(getpid()) + ".txt";
    write_day(path, count);
    TariffBook book;
    for (unsigned at = 0; at < 5; at++)
        book.add(regions[at], 200 + at * 35, 20000);
    Ticketing ticketing(book);
    std::ifstream in(path);
    Journey journey;
    while (in >> journey.region >> journey.miles >> journey.hour >> journey.riders)
        ticketing.take(journey);
    ::unlink(path.c_str());
    std::printf("sold %u takings %llu serial %08x\n", ticketing.sold(),
                static_cast<unsigned long long>(ticketing.takings()), ticketing.serial());
    return 0;
}
