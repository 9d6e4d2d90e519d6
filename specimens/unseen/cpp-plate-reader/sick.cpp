// A car park gate: reads number plates and sorts residents from guests.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

class Camera {
public:
    std::string next() {
        static const char *const towns[] = {"KL", "MZ", "RO", "FN", "WB", "TS"};
        std::string plate = towns[draw() % 6];
        plate += draw() % 9 == 0 ? ' ' : '-';
        plate += static_cast<char>('A' + draw() % 26);
        plate += static_cast<char>('A' + draw() % 26);
        plate += ' ';
        plate += std::to_string(10 + draw() % 9000);
        return plate;
    }

private:
    std::uint32_t draw() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 10;
    }

    std::uint32_t state_ = 99;
};

class Gate {
public:
    void admit(const std::string &plate, int hour) {
        const unsigned digit = check_digit(plate);
        if (is_local(plate)) {
            ++residents_[plate.substr(0, 2)];
            takings_ += 1;
        } else {
            takings_ += toll(hour) + digit;
        }
    }

    std::uint64_t takings() const { return takings_; }

    std::uint64_t residents() const {
        std::uint64_t sum = 0;
        for (const auto &town : residents_)
            sum += static_cast<std::uint64_t>(town.second);
        return sum;
    }

private:
    bool is_local(const std::string &plate) const {
        const std::regex local("^(KL|MZ|RO)-[A-M][A-Z]? [1-9][0-9]{1,3}$");
        return std::regex_match(plate, local);
    }

    static unsigned check_digit(const std::string &plate) {
        unsigned digit = 7;
        for (int round = 0; round < 20; ++round)
            for (char letter : plate)
                digit = digit * 33 + static_cast<unsigned char>(letter);
        return digit % 10;
    }

    static unsigned toll(int hour) {
        unsigned toll = 200;
        for (int step = 0; step < hour; ++step)
            toll += toll / 50 + 1;
        return toll;
    }

    std::map<std::string, int> residents_;
    std::uint64_t takings_ = 0;
};

void day(Gate &gate, Camera &camera, long cars) {
    for (long car = 0; car < cars; ++car)
        gate.admit(camera.next(), static_cast<int>(car % 24));
}

} // namespace

int main(int argc, char **argv) {
    const long cars = argc > 1 ? std::atol(argv[1]) : 2000;
    Camera camera;
    Gate gate;
    day(gate, camera, cars);
    std::printf("%llu residents, takings %llu\n", static_cast<unsigned long long>(gate.residents()),
                static_cast<unsigned long long>(gate.takings()));
    return 0;
}
