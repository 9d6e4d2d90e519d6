// Records a comet: the telescope fills blocks of samples, the tape packs and seals them, two blocks go round.
#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

constexpr std::size_t block_size = 1 << 20;

using Block = std::vector<std::uint8_t>;

/// Hands blocks from one thread to the other; an empty one ends the night.
class Belt {
public:
    void put(Block&& block)
    {
        {
            const std::lock_guard<std::mutex> guard(lock);
            blocks.push(std::move(block));
        }
        changed.notify_one();
    }

    Block take()
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return !blocks.empty(); });
        Block block = std::move(blocks.front());
        blocks.pop();
        return block;
    }

private:
    std::mutex lock;
    std::condition_variable changed;
    std::queue<Block> blocks;
};

class Telescope {
public:
    /// Light drifts slowly, with a spark now and then.
    void look(Block& block)
    {
        for (auto& sample : block) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            const auto noise = static_cast<std::uint32_t>(state >> 40);
            if ((noise & 255) == 0)
                light += static_cast<int>(noise >> 8 & 3) - static_cast<int>(noise >> 12 & 3);
            sample = static_cast<std::uint8_t>((noise & 1023) == 0 ? 255 : light & 127);
        }
    }

private:
    std::uint64_t state = 1682;
    int light = 64;
};

/// The seal of the tape: a check sum, eight bytes at a step.
class Seal {
public:
    Seal()
    {
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            std::uint32_t value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = value >> 1 ^ (0xedb88320u & (0u - (value & 1)));
            table[0][byte] = value;
        }
        for (std::uint32_t byte = 0; byte < 256; ++byte)
            for (std::size_t slice = 1; slice < 8; ++slice)
                table[slice][byte] = table[slice - 1][byte] >> 8 ^ table[0][table[slice - 1][byte] & 255];
    }

    void add(const Block& block)
    {
        for (std::size_t place = 0; place + 8 <= block.size(); place += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, &block[place], 8);
            word ^= sum;
            std::uint32_t next = 0;
            for (std::size_t slice = 0; slice < 8; ++slice)
                next ^= table[7 - slice][word >> slice * 8 & 255];
            sum = next;
        }
    }

    std::uint32_t value() const { return ~sum; }

private:
    std::array<std::array<std::uint32_t, 256>, 8> table{};
    std::uint32_t sum = ~0u;
};

class Tape {
public:
    void write(const Block& block)
    {
        seal.add(block);
        for (const auto sample : block) {
            if (sample == 255) {
                ++sparks;
            } else if (sample == last && run < 128) {
                ++run;
            } else {
                packed += 2;
                last = sample;
                run = 1;
            }
        }
    }

    void print() const { std::printf("packed %ld, sparks %ld, seal %08x\n", packed, sparks, seal.value()); }

private:
    Seal seal;
    long packed = 0;
    long sparks = 0;
    int run = 0;
    std::uint8_t last = 0;
};

int main(int argc, char** argv)
{
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 10;
    Belt full, spare;
    spare.put(Block(block_size));
    spare.put(Block(block_size));
    std::thread night([&] {
        Telescope telescope;
        for (int number = 0; number < blocks; ++number) {
            Block block = spare.take();
            telescope.look(block);
            full.put(std::move(block));
        }
        full.put(Block());
    });
    Tape tape;
    for (Block block = full.take(); !block.empty(); block = full.take()) {
        tape.write(block);
        spare.put(std::move(block));
    }
    night.join();
    tape.print();
}
