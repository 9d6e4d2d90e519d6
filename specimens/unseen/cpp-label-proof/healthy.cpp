// Proofreads the labels of a nursery: a label is a name in small letters with hyphens, a colon and a number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace nursery {

class Chance {
  public:
    explicit Chance(std::uint32_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t limit) {
        state_ = state_ * 1103515245u + 12345u;
        return (state_ >> 12) % limit;
    }

  private:
    std::uint32_t state_;
};

const char *const kFirst[] = {"alpine", "dwarf", "golden", "creeping", "winter", "royal"};
const char *const kSecond[] = {"rose", "fern", "ivy", "aster", "heather", "maple", "willow"};
const char *const kThird[] = {"", "", "-alba", "-nana", "-japonica", ""};

std::string write_label(Chance &chance) {
    std::string name = kFirst[chance.below(6)];
    name += '-';
    name += kSecond[chance.below(7)];
    name += kThird[chance.below(6)];
    std::uint32_t slip = chance.below(25);
    std::string number = std::to_string(10 + chance.below(900));
    if (slip == 0)
        return name + ' ' + number; // the colon was forgotten
    if (slip == 1)
        return name + ':';
    return name + ':' + number;
}

class Proof {
  public:
    bool is_label(const std::string &text) const { return std::regex_match(text, label_); }

    bool is_order(const std::string &text) const { return std::regex_search(text, order_); }

  private:
    std::regex label_{"[a-z]+(-[a-z]+)*-?:[0-9]+", std::regex::optimize};
    std::regex order_{"^[a-z]+-(rose|fern)", std::regex::optimize};
};

class Beds {
  public:
    void plant(const std::string &label) {
        std::size_t colon = label.find(':');
        beds_[label.substr(0, colon)] += std::atoi(label.c_str() + colon + 1);
    }

    std::uint64_t seal() const {
        std::uint64_t h = 1469598103934665603ull;
        for (const auto &[name, count] : beds_) {
            for (char letter : name)
                h = (h ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
            h ^= static_cast<std::uint64_t>(count);
        }
        return h;
    }

    std::size_t size() const { return beds_.size(); }

  private:
    std::map<std::string, long> beds_;
};

} // namespace nursery

int main(int argc, char **argv) {
    int labels = argc > 1 ? std::atoi(argv[1]) : 100;
    nursery::Chance chance(4711);
    nursery::Proof proof;
    nursery::Beds beds;
    int wrong = 0;
    int orders = 0;
    for (int number = 0; number < labels; ++number) {
        std::string label = nursery::write_label(chance);
        if (proof.is_order(label))
            ++orders;
        if (proof.is_label(label))
            beds.plant(label);
        else
            ++wrong;
    }
    std::printf("labels %d wrong %d orders %d beds %zu seal %016llx\n", labels, wrong, orders, beds.size(),
                static_cast<unsigned long long>(beds.seal()));
}
