// Weighs the parcels of a depot: packs each van's load, two loads at a time, and prints the day's balance.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

struct Parcel {
    std::uint32_t number;
    std::uint32_t grams;
    std::uint16_t width, height, depth;
};

struct Load {
    std::vector<Parcel> parcels;
    std::uint32_t limit;
};

struct Verdict {
    std::uint64_t grams = 0;
    std::uint32_t taken = 0;
    std::uint32_t left = 0;

    Verdict& operator+=(const Verdict& other) {
        grams += other.grams;
        taken += other.taken;
        left += other.left;
        return *this;
    }
};

static std::vector<Load> morning(int vans) {
    std::vector<Load> loads;
    std::uint64_t state = 0x9E3779B97F4A7C15ull;
    std::uint32_t number = 0;
    loads.reserve(vans);
    for (int van = 0; van < vans; van++) {
        Load load;
        load.limit = 60000 + van % 7 * 4000;
        for (int i = 0; i < 24; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            load.parcels.push_back({number++, std::uint32_t(200 + state % 7000), std::uint16_t(5 + state / 7 % 60),
                                    std::uint16_t(5 + state / 11 % 50), std::uint16_t(5 + state / 13 % 40)});
        }
        loads.push_back(std::move(load));
    }
    return loads;
}

// Large light parcels are paid for by their size.
static std::uint32_t charged_grams(const Parcel& parcel) {
    std::uint32_t by_size = std::uint32_t(parcel.width) * parcel.height * parcel.depth / 6;
    return std::max(parcel.grams, by_size);
}

static Verdict pack(const Load& load) {
    std::array<std::uint32_t, 24> weights{};
    std::size_t count = std::min(weights.size(), load.parcels.size());
    std::transform(load.parcels.begin(), load.parcels.begin() + count, weights.begin(), charged_grams);
    std::sort(weights.begin(), weights.begin() + count);
    Verdict verdict;
    for (std::size_t i = 0; i < count; i++) {
        if (verdict.grams + weights[i] <= load.limit) {
            verdict.grams += weights[i];
            verdict.taken++;
        } else {
            verdict.left++;
        }
    }
    return verdict;
}

static Verdict pack_all(const std::vector<Load>& loads) {
    Verdict total;
    std::size_t lanes = 2;
    std::vector<std::future<Verdict>> running;
    for (std::size_t lane = 0; lane < lanes; lane++) {
        running.push_back(std::async(std::launch::async, [&loads, lane, lanes] {
            Verdict part;
            for (std::size_t i = lane; i < loads.size(); i += lanes) {
                part += pack(loads[i]);
            }
            return part;
        }));
    }
    for (auto& future : running) {
        total += future.get();
    }
    return total;
}

static std::uint64_t heaviest(const std::vector<Load>& loads) {
    std::uint64_t most = 0;
    for (const Load& load : loads) {
        std::uint64_t grams = std::accumulate(load.parcels.begin(), load.parcels.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, const Parcel& p) { return sum + p.grams; });
        most = std::max(most, grams);
    }
    return most;
}

int main(int argc, char** argv) {
    int vans = argc > 1 ? std::atoi(argv[1]) : 34000;
    std::vector<Load> loads = morning(vans);
    Verdict total = pack_all(loads);
    std::printf("%d vans, %u taken, %u left, %llu g, heaviest %llu g\n", vans, total.taken, total.left,
                static_cast<unsigned long long>(total.grams), static_cast<unsigned long long>(heaviest(loads)));
    return 0;
}
