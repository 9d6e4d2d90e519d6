// A duty office: clerks weigh parcels, ask the assessor what is due, and keep one common ledger.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int clerks = 6;

struct Parcel {
    int number;
    std::int32_t grams;
    std::string origin;
};

/// The other end of a clerk's line: looks into the tariff, which takes a moment.
void assess(int line)
{
    std::int32_t grams = 0;
    while (read(line, &grams, sizeof grams) == sizeof grams) {
        std::this_thread::sleep_for(std::chrono::milliseconds(6));
        const std::int32_t due = grams / 90 * 7 + grams % 13;
        if (write(line, &due, sizeof due) != sizeof due)
            break;
    }
    close(line);
}

[[noreturn]] void assessor(const std::vector<int>& lines)
{
    std::vector<std::thread> desks;
    for (const int line : lines)
        desks.emplace_back(assess, line);
    for (auto& desk : desks)
        desk.join();
    _exit(0);
}

class Line {
public:
    explicit Line(int socket) : socket(socket) {}

    std::int32_t due(std::int32_t grams)
    {
        std::int32_t answer = 0;
        if (write(socket, &grams, sizeof grams) != sizeof grams || read(socket, &answer, sizeof answer) != sizeof answer)
            std::abort();
        return answer;
    }

private:
    int socket;
};

class Ledger {
public:
    void settle(const Parcel& parcel, Line& line)
    {
        const std::int32_t due = line.due(parcel.grams);
        const std::lock_guard<std::mutex> guard(lock);
        auto& account = accounts[parcel.origin];
        account.parcels += 1;
        account.due += due;
        heaviest = std::max(heaviest, parcel.grams);
    }

    void print() const
    {
        for (const auto& [origin, account] : accounts)
            std::printf("%s %d %ld, ", origin.c_str(), account.parcels, account.due);
        std::printf("heaviest %d\n", heaviest);
    }

private:
    struct Account {
        int parcels = 0;
        long due = 0;
    };

    std::mutex lock;
    std::map<std::string, Account> accounts;
    std::int32_t heaviest = 0;
};

Parcel unload(int number)
{
    static const char* const origins[] = {"Lisbon", "Riga", "Cork", "Genoa", "Bergen"};
    std::uint32_t state = static_cast<std::uint32_t>(number) * 2654435761u + 97;
    state = state * 1664525u + 1013904223u;
    return {number, static_cast<std::int32_t>(200 + (state >> 10) % 19000), origins[(state >> 7) % 5]};
}

/// Opens, weighs and closes a parcel again.
int weigh(const Parcel& parcel)
{
    int scale = parcel.grams;
    for (int turn = 0; turn < 4000; ++turn)
        scale = (scale * 7 + turn) % 20011;
    return scale;
}

int main(int argc, char** argv)
{
    const int parcels = argc > 1 ? std::atoi(argv[1]) : 12;
    std::vector<int> ours(clerks), theirs(clerks);
    for (int clerk = 0; clerk < clerks; ++clerk) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
            return 1;
        ours[clerk] = ends[0];
        theirs[clerk] = ends[1];
    }
    const pid_t child = fork();
    if (child == 0) {
        for (const int socket : ours)
            close(socket);
        assessor(theirs);
    }
    for (const int socket : theirs)
        close(socket);
    Ledger ledger;
    std::atomic<int> next{0};
    std::atomic<long> scales{0};
    std::vector<std::thread> team;
    for (int clerk = 0; clerk < clerks; ++clerk) {
        team.emplace_back([&, clerk] {
            Line line(ours[clerk]);
            for (int number = next++; number < parcels; number = next++) {
                const Parcel parcel = unload(number);
                scales += weigh(parcel);
                ledger.settle(parcel, line);
            }
        });
    }
    for (auto& clerk : team)
        clerk.join();
    for (const int socket : ours)
        close(socket);
    waitpid(child, nullptr, 0);
    std::printf("%d parcels, scales %ld, ", parcels, scales.load());
    ledger.print();
}
