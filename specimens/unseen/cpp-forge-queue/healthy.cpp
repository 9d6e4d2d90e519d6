// A forge: the front desk hands orders to the smith and takes the finished pieces from a tray.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

struct Order {
    int number;
    int size;
    bool last;
};

struct Piece {
    int number;
    std::uint64_t mark;
};

template <typename T> class Shelf {
  public:
    void put(T thing) {
        std::lock_guard<std::mutex> guard(lock_);
        things_.push_back(std::move(thing));
        filled_.notify_one();
    }

    T take() {
        std::unique_lock<std::mutex> guard(lock_);
        filled_.wait(guard, [this] { return !things_.empty(); });
        T thing = std::move(things_.front());
        things_.pop_front();
        return thing;
    }

  private:
    std::mutex lock_;
    std::condition_variable filled_;
    std::deque<T> things_;
};

// The tray also looks whether the fire went out, so the desk does not stand there for ever.
class Tray {
  public:
    void lay(Piece piece) {
        std::lock_guard<std::mutex> guard(lock_);
        pieces_.push_back(piece);
        laid_.notify_one();
    }

    std::optional<Piece> fetch() {
        std::unique_lock<std::mutex> guard(lock_);
        while (pieces_.empty()) {
            laid_.wait_for(guard, std::chrono::milliseconds(20));
            if (cold_)
                return std::nullopt;
        }
        Piece piece = pieces_.front();
        pieces_.pop_front();
        return piece;
    }

    void fire_out() {
        std::lock_guard<std::mutex> guard(lock_);
        cold_ = true;
        laid_.notify_all();
    }

  private:
    std::mutex lock_;
    std::condition_variable laid_;
    std::deque<Piece> pieces_;
    bool cold_ = false;
};

std::uint64_t hammer(int number, int size) {
    std::uint64_t metal = 88172645463325252ull + static_cast<std::uint64_t>(number);
    for (int blow = 0; blow < size * 1000; ++blow) {
        metal ^= metal << 13;
        metal ^= metal >> 7;
        metal ^= metal << 17;
    }
    return metal;
}

void smith(Shelf<Order> &orders, Tray &tray) {
    for (;;) {
        Order order = orders.take();
        if (order.last)
            break;
        tray.lay(Piece{order.number, hammer(order.number, order.size)});
    }
}

// The bill of a piece, written out in words.
std::string bill(const Piece &piece) {
    std::string text = "piece " + std::to_string(piece.number) + ": ";
    for (std::uint64_t rest = piece.mark % 100000; rest > 0; rest /= 10)
        text += static_cast<char>('a' + rest % 10);
    return text;
}

class Desk {
  public:
    Desk() : smith_([this] { smith(orders_, tray_); }) {}

    ~Desk() {
        orders_.put(Order{0, 0, true});
        smith_.join();
    }

    void serve(int number) {
        orders_.put(Order{number, 200 + number % 50, false});
        std::optional<Piece> piece = tray_.fetch();
        if (piece)
            for (char letter : bill(*piece))
                sum_ = sum_ * 131 + static_cast<unsigned char>(letter);
    }

    std::uint64_t sum() const { return sum_; }

  private:
    Shelf<Order> orders_;
    Tray tray_;
    std::thread smith_;
    std::uint64_t sum_ = 7;
};

int main(int argc, char **argv) {
    int customers = argc > 1 ? std::atoi(argv[1]) : 10;
    Desk desk;
    for (int number = 0; number < customers; ++number)
        desk.serve(number);
    std::printf("customers %d sum %016llx\n", customers, static_cast<unsigned long long>(desk.sum()));
}
