// Counts census forms, on which people write what they like.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum Field { kAge, kRooms, kChildren, kAnimals, kFields };

class Form {
public:
    Form() : fields_(kFields) {}

    void write(int field, const std::string &text) { fields_[field] = text; }

    int number(int field, int otherwise) const {
        try {
            return std::stoi(fields_[field]);
        } catch (const std::invalid_argument &) {
            return otherwise;
        }
    }

private:
    std::vector<std::string> fields_;
};

class Post {
public:
    void deliver(Form &form) {
        static const char *const words[] = {"", "none", "see letter", "-"};
        for (int field = 0; field < kFields; ++field) {
            const std::uint32_t lot = draw();
            if (lot % 3 == 0)
                form.write(field, words[lot / 3 % 4]);
            else
                form.write(field, std::to_string(lot / 3 % 90));
        }
    }

private:
    std::uint32_t draw() {
        state_ = state_ * 22695477u + 1u;
        return state_ >> 9;
    }

    std::uint32_t state_ = 1801;
};

class Count {
public:
    void take(const Form &form) {
        const int age = form.number(kAge, 40);
        pyramid_[age / 10 % 10] += 1;
        rooms_ += static_cast<std::uint64_t>(form.number(kRooms, 3));
        children_ += static_cast<std::uint64_t>(form.number(kChildren, 0));
        animals_ += static_cast<std::uint64_t>(form.number(kAnimals, 0));
    }

    std::uint64_t digest() const {
        std::uint64_t sum = rooms_ * 7 + children_ * 5 + animals_;
        for (std::uint64_t step : pyramid_)
            sum = sum * 41 + step;
        return sum;
    }

private:
    std::array<std::uint64_t, 10> pyramid_{};
    std::uint64_t rooms_ = 0, children_ = 0, animals_ = 0;
};

} // namespace

int main(int argc, char **argv) {
    const long forms = argc > 1 ? std::atol(argv[1]) : 10000;
    Post post;
    Count count;
    Form form;
    for (long i = 0; i < forms; ++i) {
        post.deliver(form);
        count.take(form);
    }
    std::printf("%ld forms, digest %llx\n", forms, static_cast<unsigned long long>(count.digest()));
    return 0;
}
