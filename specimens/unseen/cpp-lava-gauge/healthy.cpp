// Gauges on a volcano: readings are smoothed, judged and written into the daily record of each gauge.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

struct Reading {
    int gauge;
    int minute;
    double heat;
    double tremor;
};

class Mountain {
public:
    explicit Mountain(std::uint32_t seed) : state(seed) {}

    Reading next(int number)
    {
        const double heat = 180 + draw() % 9000 / 100.0;
        const double tremor = draw() % 1000 / 250.0;
        return {static_cast<int>(draw() % 6), number / 6, heat, tremor};
    }

private:
    std::uint32_t draw()
    {
        state = state * 1664525u + 1013904223u;
        return state >> 9;
    }

    std::uint32_t state;
};

/// Holds the latest readings of a gauge and their mean.
class Smooth {
public:
    double add(double value)
    {
        sum += value - window[place];
        window[place] = value;
        place = (place + 1) % window.size();
        return sum / static_cast<double>(window.size());
    }

private:
    std::array<double, 24> window{};
    std::size_t place = 0;
    double sum = 0;
};

enum class Level { quiet, awake, alarm };

const char* word(Level level)
{
    switch (level) {
    case Level::quiet: return "quiet";
    case Level::awake: return "awake";
    default: return "ALARM";
    }
}

Level judge(double heat, double tremor)
{
    const double risk = (heat - 150) * 0.01 + tremor * tremor * 0.3;
    if (risk > 4.5)
        return Level::alarm;
    return risk > 2 ? Level::awake : Level::quiet;
}

class Record {
public:
    explicit Record(const fs::path& path) : out(path) { out << std::fixed << std::setprecision(2); }

    void note(const Reading& reading, double mean, Level level)
    {
        out << reading.gauge << ' ' << reading.minute / 60 << ':' << reading.minute % 60 << ' ' << mean << ' '
            << reading.tremor << ' ' << word(level) << '\n';
        ++lines;
    }

    long written() const { return lines; }
    void close() { out.close(); }

private:
    std::ofstream out;
    long lines = 0;
};

long letters(const fs::path& path, std::map<std::string, long>& words)
{
    std::ifstream in(path);
    std::string line;
    long sum = 0;
    while (std::getline(in, line)) {
        sum += static_cast<long>(line.size());
        ++words[line.substr(line.rfind(' ') + 1)];
    }
    return sum;
}

int main(int argc, char** argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const fs::path path = fs::temp_directory_path() / ("lava-" + std::to_string(getpid()) + ".record");
    Mountain mountain(79);
    std::vector<Smooth> smooth(6);
    Record record(path);
    for (int number = 0; number < count; ++number) {
        const Reading reading = mountain.next(number);
        const double mean = smooth[static_cast<std::size_t>(reading.gauge)].add(reading.heat);
        record.note(reading, mean, judge(mean, reading.tremor));
    }
    record.close();
    std::map<std::string, long> words;
    const long sum = letters(path, words);
    fs::remove(path);
    std::cout << record.written() << " lines, " << sum << " letters";
    for (const auto& [name, times] : words)
        std::cout << ", " << name << ' ' << times;
    std::cout << '\n';
}
