// Vesper organ: renders some bars of an organ piece from integer wave tables.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

constexpr int table_size = 1024;
constexpr int bar_samples = 40000;

class Table {
public:
    Table(int seed)
    {
        for (int place = 0; place < table_size; ++place)
            values[static_cast<size_t>(place)] = (place * seed) % 255 - 127;
    }
    int value(uint32_t phase) const { return values[(phase >> 16) & (table_size - 1)]; }

private:
    std::array<int, table_size> values{};
};

class Pipe {
public:
    Pipe(const Table &table, uint32_t step, int loudness) : table(&table), step(step), loudness(loudness) {}
    int sound()
    {
        phase += step;
        return table->value(phase) * loudness / 16;
    }
    void tune(uint32_t wanted) { step = wanted; }

private:
    const Table *table;
    uint32_t step;
    uint32_t phase = 0;
    int loudness;
};

class Voice {
public:
    void add(Pipe pipe) { pipes.push_back(pipe); }
    size_t size() const { return pipes.size(); }
    Pipe &pipe(size_t number) { return pipes[number]; }
    int mix()
    {
        int sum = 0;
        for (auto &pipe : pipes)
            sum += pipe.sound();
        return sum;
    }

private:
    std::vector<Pipe> pipes;
};

class Organ {
public:
    Organ() : flute(3), reed(11)
    {
        for (int voice = 0; voice < 4; ++voice) {
            Voice made;
            for (int pipe = 0; pipe < 6; ++pipe)
                made.add(Pipe(pipe % 2 ? reed : flute, static_cast<uint32_t>(90000 + voice * 7000 + pipe * 911), 4 + pipe));
            voices.push_back(made);
        }
    }

    void register_bar(int bar)
    {
        for (auto &voice : voices)
            for (size_t number = 0; number < voice.size(); ++number)
                voice.pipe(number).tune(static_cast<uint32_t>(80000 + (bar * 37 + static_cast<int>(number) * 53) % 60000));
    }

    uint32_t play(int samples)
    {
        uint32_t sum = 2166136261u;
        for (int sample = 0; sample < samples; ++sample) {
            int level = 0;
            for (size_t number = 0; number < voices.size(); ++number)
                level += voices[number].mix();
            sum = (sum ^ static_cast<uint32_t>(level)) * 16777619u;
        }
        return sum;
    }

private:
    Table flute;
    Table reed;
    std::vector<Voice> voices;
};

static std::string render(Organ &organ, int bars)
{
    std::string score;
    for (int bar = 0; bar < bars; ++bar) {
        organ.register_bar(bar);
        char text[32];
        std::snprintf(text, sizeof text, "%08x", organ.play(bar_samples));
        if (bar % 10 == 0)
            std::printf("bar %d %s\n", bar, text);
        score += text;
    }
    return score;
}

int main(int argc, char **argv)
{
    int bars = argc > 1 ? std::atoi(argv[1]) : 2;
    Organ organ;
    std::string score = render(organ, bars);
    std::printf("%d bars, last %s\n", bars, score.substr(score.size() - 8).c_str());
    return 0;
}
