// Finds the lines in a gamma spectrum.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct Spectrum {
    std::vector<double> counts;
    double gain = 0.35;
    double energy(size_t channel) const { return gain * static_cast<double>(channel) + 4.0; }
};

struct Line {
    double energy;
    double height;
    std::string isotope;
};

static Spectrum measure(size_t channels)
{
    Spectrum spectrum;
    spectrum.counts.resize(channels);
    uint32_t state = 12345;
    for (size_t n = 0; n < channels; n++) {
        state = state * 1664525u + 1013904223u;
        spectrum.counts[n] = 900.0 * std::exp(-static_cast<double>(n) / 9000.0) + static_cast<double>(state >> 27);
        for (size_t line : {1200u, 3350u, 7777u, 15210u}) {
            double off = (static_cast<double>(n) - static_cast<double>(line)) / 6.0;
            spectrum.counts[n] += 4000.0 * std::exp(-off * off);
        }
    }
    return spectrum;
}

static std::vector<double> smooth(const std::vector<double> &in, int reach)
{
    std::vector<double> out(in.size());
    std::vector<double> weights;
    for (int k = -reach; k <= reach; k++)
        weights.push_back(std::exp(-0.5 * k * k / (reach * 0.5) / (reach * 0.5)));
    for (size_t n = 0; n < in.size(); n++) {
        double sum = 0, all = 0;
        for (int k = -reach; k <= reach; k++) {
            long at = static_cast<long>(n) + k;
            if (at < 0 || at >= static_cast<long>(in.size()))
                continue;
            sum += in[at] * weights[k + reach];
            all += weights[k + reach];
        }
        out[n] = sum / all;
    }
    return out;
}

__attribute__((noinline)) double intensity(Spectrum spectrum, size_t channel)
{
    size_t first = channel > 12 ? channel - 12 : 0;
    size_t last = std::min(channel + 12, spectrum.counts.size() - 1);
    double edge = 0.5 * (spectrum.counts[first] + spectrum.counts[last]);
    return spectrum.counts[channel] - edge;
}

class Peaks {
public:
    explicit Peaks(const Spectrum &source) : spectrum(source) { spectrum.counts = smooth(source.counts, 4); }

    std::vector<Line> scan(double least)
    {
        std::vector<Line> lines;
        const auto &counts = spectrum.counts;
        for (size_t n = 1; n + 1 < counts.size(); n++) {
            if (counts[n] <= counts[n - 1] || counts[n] < counts[n + 1])
                continue;
            double height = intensity(spectrum, n);
            if (height > least)
                lines.push_back({spectrum.energy(n), height, name(spectrum.energy(n))});
        }
        return lines;
    }

private:
    static std::string name(double energy)
    {
        static const std::map<int, std::string> table = {{424, "Ba-133"}, {1176, "Co-60"}, {2725, "Na-24"}, {5327, "N-15"}};
        auto at = table.lower_bound(static_cast<int>(energy) - 3);
        return at != table.end() && at->first < energy + 3 ? at->second : "unknown";
    }
    Spectrum spectrum;
};

int main(int argc, char **argv)
{
    size_t channels = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 16384;
    Spectrum spectrum = measure(channels);
    auto lines = Peaks(spectrum).scan(800.0);
    double sum = 0;
    std::string names;
    for (auto &line : lines) {
        sum += line.height;
        names += line.isotope + " ";
    }
    std::printf("lines %zu sum %.2f %s\n", lines.size(), sum, names.c_str());
    return 0;
}
