// Assigns parcels of a town map to survey squares and counts the neighbours of each.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Square {
    int32_t column;
    int32_t row;
    bool operator==(const Square& other) const { return column == other.column && row == other.row; }
};

struct SquareHash {
    std::size_t operator()(const Square& square) const
    {
        return std::hash<int32_t>()(square.column) ^ std::hash<int32_t>()(square.row);
    }
};

struct Parcel {
    Square square;
    uint32_t area = 0;
    std::string owner;
};

class Dice {
public:
    uint32_t operator()(uint32_t limit)
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return uint32_t(state >> 20) % limit;
    }

private:
    uint64_t state = 88172645463325252ull;
};

class Survey {
public:
    explicit Survey(std::size_t expected) { parcels.reserve(expected); }

    void add(const Square& square, uint32_t area, std::string owner)
    {
        auto [at, fresh] = parcels.try_emplace(square);
        if (fresh)
            at->second.square = square;
        at->second.area += area;
        at->second.owner = std::move(owner);
    }

    unsigned neighbours(const Square& square) const
    {
        static const int step[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
        unsigned count = 0;
        for (auto& way : step)
            count += parcels.count(Square{square.column + way[0], square.row + way[1]});
        return count;
    }

    uint64_t value(const std::vector<Square>& order) const
    {
        uint64_t sum = 0;
        for (const auto& square : order) {
            auto found = parcels.find(square);
            if (found == parcels.end())
                continue;
            sum = sum * 31 + found->second.area + neighbours(square) * 7 + found->second.owner.size();
        }
        return sum;
    }

    std::size_t size() const { return parcels.size(); }

private:
    std::unordered_map<Square, Parcel, SquareHash> parcels;
};

static std::string owner_of(Dice& dice)
{
    static const char* const names[] = {"Abbott", "Brandt", "Castellan", "Dufour", "Engstrom"};
    return std::string(names[dice(5)]) + " & " + names[dice(5)];
}

static std::unordered_set<std::string> owners(const std::vector<std::string>& all)
{
    return {all.begin(), all.end()};
}

int main(int argc, char** argv)
{
    const int side = argc > 1 ? std::atoi(argv[1]) : 50;
    Dice dice;
    Survey survey(std::size_t(side) * side);
    std::vector<Square> order;
    std::vector<std::string> seen;
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            if (dice(10) < 2)
                continue;
            Square square{column, row};
            seen.push_back(owner_of(dice));
            survey.add(square, 200 + dice(900), seen.back());
            order.push_back(square);
        }
    }
    const uint64_t value = survey.value(order);
    std::printf("%zu parcels, %zu owners, %016llx\n", survey.size(), owners(seen).size(), (unsigned long long)value);
    return 0;
}
