// Saffron carts: carts come to the weighing hall, porters bring them to the scales, and the clerk writes the bill.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr unsigned porters = 8;

struct Cart {
    uint64_t id = 0;
    uint32_t sacks = 0;
    std::size_t place = 0;
};

struct Question {
    uint64_t id;
    uint64_t sacks;
};

bool whole(int line, void *data, std::size_t length, bool out)
{
    auto *at = static_cast<char *>(data);
    while (length > 0) {
        ssize_t moved = out ? write(line, at, length) : read(line, at, length);
        if (moved <= 0)
            return false;
        at += moved;
        length -= std::size_t(moved);
    }
    return true;
}

// The hall of scales, a process of its own with one scale for each porter.
class Hall {
public:
    Hall()
    {
        int theirs[porters];
        for (unsigned number = 0; number < porters; number++) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
                std::abort();
            lines[number] = pair[0];
            theirs[number] = pair[1];
        }
        child_ = fork();
        if (child_ < 0)
            std::abort();
        if (child_ == 0) {
            for (int line : lines)
                close(line);
            std::vector<std::thread> scales;
            for (int line : theirs)
                scales.emplace_back(weigh, line);
            for (auto &scale : scales)
                scale.join();
            _exit(0);
        }
        for (int line : theirs)
            close(line);
    }
    ~Hall()
    {
        for (int line : lines)
            close(line);
        waitpid(child_, nullptr, 0);
    }

    int lines[porters];

private:
    // The needle needs a moment until it stands still.
    static void weigh(int line)
    {
        Question question;
        while (whole(line, &question, sizeof question, false)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
            uint64_t grams = question.sacks * 24000 + question.id * 2654435761u % 9973;
            if (!whole(line, &grams, sizeof grams, true))
                return;
        }
    }

    pid_t child_;
};

class Porter {
public:
    Porter(int line, std::vector<uint64_t> &grams) : line_(line), grams_(grams), thread_([this] { carry(); }) {}
    ~Porter()
    {
        {
            std::lock_guard<std::mutex> held(guard_);
            home_ = true;
        }
        bell_.notify_one();
        thread_.join();
    }

    void hand(const Cart &cart)
    {
        {
            std::lock_guard<std::mutex> held(guard_);
            carts_.push_back(cart);
        }
        bell_.notify_one();
    }

private:
    void carry()
    {
        for (;;) {
            Cart cart;
            {
                std::unique_lock<std::mutex> held(guard_);
                bell_.wait(held, [this] { return home_ || !carts_.empty(); });
                if (carts_.empty())
                    return;
                cart = carts_.front();
                carts_.pop_front();
            }
            grams_[cart.place] = scale(cart);
        }
    }

    uint64_t scale(const Cart &cart)
    {
        Question question{cart.id, cart.sacks};
        uint64_t grams = 0;
        if (!whole(line_, &question, sizeof question, true) || !whole(line_, &grams, sizeof grams, false))
            std::abort();
        return grams;
    }

    int line_;
    std::vector<uint64_t> &grams_;
    std::mutex guard_;
    std::condition_variable bell_;
    std::deque<Cart> carts_;
    bool home_ = false;
    std::thread thread_;
};

// All carts of one number go to the same porter, in the order in which they came.
class Yard {
public:
    Yard(Hall &hall, std::vector<uint64_t> &grams)
    {
        for (int line : hall.lines)
            porters_.push_back(std::make_unique<Porter>(line, grams));
    }

    void admit(const Cart &cart) { porters_[post_of(cart.id)]->hand(cart); }

private:
    std::size_t post_of(uint64_t id) const { return std::hash<uint64_t>{}(id) % porters_.size(); }

    std::vector<std::unique_ptr<Porter>> porters_;
};

// Sixteen gates give out numbers, each in steps of its own; the spice comes through gate five.
std::vector<Cart> arrivals(std::size_t count)
{
    std::vector<Cart> carts(count);
    uint32_t state = 777;
    for (std::size_t number = 0; number < count; number++) {
        state = state * 1103515245u + 12345u;
        carts[number] = {4096 + (state >> 9) % 5000 * 16 + 5, 3 + (state >> 20) % 30, number};
    }
    return carts;
}

uint64_t bill(const std::vector<uint64_t> &grams)
{
    uint64_t sum = 17;
    for (int round = 0; round < 20000; round++)
        for (std::size_t place = 0; place < grams.size(); place++)
            sum = sum * 31 + grams[place] / (7 + place % 5);
    return sum;
}

int main(int argc, char **argv)
{
    std::size_t count = argc > 1 ? std::size_t(std::atoi(argv[1])) : 20;
    std::vector<uint64_t> grams(count);
    Hall hall;
    {
        Yard yard(hall, grams);
        for (const Cart &cart : arrivals(count))
            yard.admit(cart);
    }
    std::printf("%zu carts, first %llu g, bill %016llx\n", count, static_cast<unsigned long long>(grams[0]),
                static_cast<unsigned long long>(bill(grams)));
    return 0;
}
