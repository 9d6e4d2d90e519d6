// Drum circle: six groups enrol their players in one registry; each entry is verified by an instrument that takes its time.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

struct Player {
    int group;
    int number;
    uint32_t mark;
};

// A device with one channel for each group: a reading takes two milliseconds.
class Instrument {
public:
    uint32_t reading(const Player &player) const
    {
        std::this_thread::sleep_for(std::chrono::microseconds(2000));
        return (player.mark ^ 0x5bd1e995u) * 2654435761u;
    }
};

class Registry {
public:
    explicit Registry(const Instrument &instrument) : instrument(instrument) {}

    void enrol(const Player &player)
    {
        std::lock_guard<std::mutex> guard(mutex);
        uint32_t seal = verify(player);
        entries[{player.group, player.number}] = seal;
    }

    uint32_t total() const
    {
        std::lock_guard<std::mutex> guard(mutex);
        uint32_t sum = 0;
        for (const auto &entry : entries)
            sum = sum * 31 + entry.second;
        return sum;
    }

    size_t size() const { return entries.size(); }

private:
    uint32_t verify(const Player &player) const
    {
        uint32_t seal = instrument.reading(player);
        return seal ? seal : 1;
    }

    const Instrument &instrument;
    mutable std::mutex mutex;
    std::map<std::pair<int, int>, uint32_t> entries;
};

static uint32_t beat(int group, int number)
{
    uint32_t mark = static_cast<uint32_t>(group * 1000 + number);
    for (int round = 0; round < 60000; ++round)
        mark = (mark ^ (mark >> 13)) * 1540483477u + static_cast<uint32_t>(round);
    return mark;
}

static void drummer(Registry &registry, int group, int players)
{
    for (int number = 0; number < players; ++number)
        registry.enrol({group, number, beat(group, number)});
}

// Stand-ins, who are needed only when a group fails to come.
class Reserve {
public:
    explicit Reserve(int count)
    {
        for (int number = 0; number < count; ++number)
            threads.emplace_back([this] {
                std::unique_lock<std::mutex> lock(mutex);
                changed.wait(lock, [this] { return over; });
            });
    }
    ~Reserve()
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            over = true;
        }
        changed.notify_all();
        for (auto &thread : threads)
            thread.join();
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    std::vector<std::thread> threads;
};

int main(int argc, char **argv)
{
    int players = argc > 1 ? std::atoi(argv[1]) : 10;
    Instrument instrument;
    Registry registry(instrument);
    Reserve reserve(4);
    std::vector<std::thread> groups;
    for (int group = 0; group < 6; ++group)
        groups.emplace_back(drummer, std::ref(registry), group, players);
    for (auto &group : groups)
        group.join();
    std::printf("%zu players, seal %08x\n", registry.size(), registry.total());
    return 0;
}
