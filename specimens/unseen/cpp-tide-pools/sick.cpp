// Follows the animals of tide pools through many tides; what a tide needs lives in one arena.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include <sys/mman.h>

class Arena {
public:
    explicit Arena(std::size_t room) : room_(room) {
        void *memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        madvise(memory, room, MADV_NOHUGEPAGE);
        base_ = static_cast<std::byte *>(memory);
    }

    ~Arena() { munmap(base_, room_); }

    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    template <class T, class... Args>
    T *make(Args &&...args) {
        used_ = (used_ + alignof(T) - 1) & ~(alignof(T) - 1);
        if (used_ + sizeof(T) > room_)
            throw std::bad_alloc();
        T *made = new (base_ + used_) T{std::forward<Args>(args)...};
        used_ += sizeof(T);
        most_ = used_ > most_ ? used_ : most_;
        return made;
    }

    void reset() {
        madvise(base_, used_, MADV_DONTNEED);
        used_ = 0;
    }

    std::size_t most() const { return most_; }

private:
    std::byte *base_ = nullptr;
    std::size_t room_ = 0;
    std::size_t used_ = 0;
    std::size_t most_ = 0;
};

struct Animal {
    Animal *next;
    std::uint32_t kind;
    std::uint32_t hunger;
    std::uint64_t path[12];
};

struct Pool {
    Animal *first = nullptr;
    std::uint32_t depth = 0;
    std::uint32_t count = 0;
};

class Sea {
public:
    explicit Sea(std::uint64_t seed) : state_(seed) {}

    std::uint32_t wave(std::uint32_t below) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state_ >> 33) % below;
    }

private:
    std::uint64_t state_;
};

class Shore {
public:
    Shore(std::size_t pools, std::size_t room) : arena_(room), pools_(pools) {}

    std::uint64_t tide(Sea &sea, std::size_t animals) {
        fill(sea, animals);
        const std::uint64_t eaten = feed();
        drain();
        return eaten;
    }

    std::size_t most() const { return arena_.most(); }

private:
    void fill(Sea &sea, std::size_t animals) {
        for (std::size_t i = 0; i < animals; ++i) {
            Pool &pool = pools_[i % pools_.size()];
            Animal *animal = arena_.make<Animal>(pool.first, sea.wave(9), sea.wave(50));
            animal->path[i % 12] = i;
            pool.first = animal;
            pool.count++;
            pool.depth += animal->kind;
        }
    }

    std::uint64_t feed() {
        std::uint64_t eaten = 0;
        for (Pool &pool : pools_)
            for (Animal *animal = pool.first; animal != nullptr; animal = animal->next) {
                const std::uint32_t bite = (animal->hunger + pool.depth) % 17;
                animal->hunger -= bite < animal->hunger ? bite : animal->hunger;
                eaten = eaten * 3 + bite + animal->path[bite % 12] % 5;
            }
        return eaten;
    }

    void drain() {
        for (Pool &pool : pools_)
            pool = Pool{};
        arena_.reset();
    }

    Arena arena_;
    std::vector<Pool> pools_;
};

int main(int argc, char **argv) {
    const int tides = argc > 1 ? std::atoi(argv[1]) : 4;
    constexpr std::size_t animals = 60000;
    Shore shore(400, animals * (sizeof(Animal) + alignof(Animal)));
    Sea sea(17);
    std::uint64_t mark = 0;
    for (int tide = 0; tide < tides; ++tide)
        mark = mark * 31 + shore.tide(sea, animals);
    std::printf("eaten %llx room %zu\n", static_cast<unsigned long long>(mark), shore.most());
    return 0;
}
