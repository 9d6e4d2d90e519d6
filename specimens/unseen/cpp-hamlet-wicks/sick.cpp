// Reads the door records of a group of buildings and prints who was where for how long.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace records {

struct Source {
    uint32_t seed = 20240229;

    uint32_t draw(uint32_t limit) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 8) % limit;
    }

    void line(std::string &out, long number) {
        static const char *const buildings[] = {"riverside-annex-north", "riverside-annex-south", "orchard-main-building",
                                                "boiler-house-and-garage"};
        static const char *const doors[] = {"ground-floor-delivery-gate", "second-floor-staircase", "west-wing-fire-door"};
        char text[256];
        int length = snprintf(text, sizeof text, "%010ld|%s|%s|badge-holder-%08u|reader-firmware-4.11.%u|%u|%s|%s", number,
                              buildings[draw(4)], doors[draw(3)], draw(900), draw(9), draw(3600),
                              draw(5) ? "granted-by-local-table" : "granted-by-central-office",
                              draw(2) ? "direction-inward-bound" : "direction-outward-bound");
        out.assign(text, static_cast<size_t>(length));
    }
};

std::vector<std::string> split(const std::string &line, char mark) {
    std::vector<std::string> fields;
    size_t from = 0;
    while (true) {
        size_t end = line.find(mark, from);
        fields.push_back(line.substr(from, end - from));
        if (end == std::string::npos)
            return fields;
        from = end + 1;
    }
}

long number_in(const std::string &text) {
    long value = 0;
    for (char c : text)
        if (c >= '0' && c <= '9')
            value = value * 10 + (c - '0');
    return value;
}

}  // namespace records

namespace report {

struct Stay {
    long visits = 0;
    long seconds = 0;
};

class Board {
public:
    explicit Board(size_t holders) : stays_(holders) {}

    void take(const std::vector<std::string> &fields) {
        if (fields.size() != 8)
            return;
        size_t holder = static_cast<size_t>(records::number_in(fields[3])) % stays_.size();
        if (fields[6] == "granted-by-central-office")
            central_++;
        if (fields[7] == "direction-inward-bound")
            stays_[holder].visits++;
        stays_[holder].seconds += records::number_in(fields[5]);
        for (char c : fields[1])
            seal_ = (seal_ ^ static_cast<unsigned char>(c)) * 16777619u;
    }

    void print() const {
        size_t longest = 0;
        for (size_t i = 1; i < stays_.size(); i++)
            if (stays_[i].seconds > stays_[longest].seconds)
                longest = i;
        printf("central %ld longest %zu visits %ld seconds %ld seal %08x\n", central_, longest, stays_[longest].visits,
               stays_[longest].seconds, seal_);
    }

private:
    std::vector<Stay> stays_;
    long central_ = 0;
    uint32_t seal_ = 2166136261u;
};

class Import {
public:
    explicit Import(Board &board) : board_(board) {}

    void run(const std::vector<std::string> &lines, int days) {
        for (int day = 0; day < days; day++)
            for (const std::string &line : lines)
                one(line);
    }

private:
    void one(const std::string &line) {
        board_.take(records::split(line, '|'));
    }

    Board &board_;
};

}  // namespace report

static std::vector<std::string> collect(long count) {
    records::Source source;
    std::vector<std::string> lines(static_cast<size_t>(count));
    for (long i = 0; i < count; i++)
        source.line(lines[static_cast<size_t>(i)], i);
    return lines;
}

int main(int argc, char **argv) {
    int days = argc > 1 ? atoi(argv[1]) : 10;
    std::vector<std::string> lines = collect(20000);
    report::Board board(1000);
    report::Import import(board);
    import.run(lines, days);
    board.print();
    return 0;
}
