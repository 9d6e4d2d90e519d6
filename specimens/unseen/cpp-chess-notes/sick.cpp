// Plays a small capture game on a 6 by 6 board and annotates the best line.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

constexpr int SIDE = 6;
using Board = std::array<int8_t, SIDE * SIDE>;

struct Move {
    int from;
    int to;
    std::string note;
    std::vector<int> path;
    Move(int f, int t) : from(f), to(t), note("move from square " + std::to_string(f) + " to " + std::to_string(t)), path{f, t} {}
};
using MoveRef = std::shared_ptr<Move>;
inline int from_of(const MoveRef &move) { return move->from; }
inline int to_of(const MoveRef &move) { return move->to; }
inline MoveRef make(int from, int to) { return std::make_shared<Move>(from, to); }
inline std::string text_of(const MoveRef &move) { return move->note; }

static Board opening()
{
    Board board{};
    for (int column = 0; column < SIDE; column++) {
        board[column] = static_cast<int8_t>(1 + column % 3);
        board[(SIDE - 1) * SIDE + column] = static_cast<int8_t>(-1 - (column + 1) % 3);
    }
    return board;
}

class Search {
public:
    explicit Search(int depth) : deepest(depth), lists(depth + 1) {}

    void expand(const Board &board, int side, std::vector<MoveRef> &moves)
    {
        moves = std::vector<MoveRef>();
        static const int steps[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
        for (int square = 0; square < SIDE * SIDE; square++) {
            if (board[square] * side <= 0)
                continue;
            for (auto &step : steps) {
                int row = square / SIDE + step[0], column = square % SIDE + step[1];
                if (row < 0 || row >= SIDE || column < 0 || column >= SIDE)
                    continue;
                if (board[row * SIDE + column] * side <= 0)
                    moves.push_back(make(square, row * SIDE + column));
            }
        }
    }

    static int evaluate(const Board &board)
    {
        int sum = 0;
        for (int square = 0; square < SIDE * SIDE; square++) {
            int row = square / SIDE;
            sum += board[square] * (10 + (row > 1 && row < 4 ? 2 : 0) + square % SIDE);
        }
        return sum;
    }

    int best(const Board &board, int side, int depth, int low, int high)
    {
        nodes++;
        if (depth == 0)
            return side * evaluate(board);
        auto &moves = lists[depth];
        expand(board, side, moves);
        for (size_t n = 0; n < moves.size(); n++) {
            Board next = board;
            next[to_of(moves[n])] = next[from_of(moves[n])];
            next[from_of(moves[n])] = 0;
            int value = -best(next, -side, depth - 1, -high, -low);
            if (value > low) {
                low = value;
                if (depth == deepest)
                    chosen = text_of(moves[n]);
            }
            if (low >= high)
                break;
        }
        return low;
    }

    int deepest;
    std::vector<std::vector<MoveRef>> lists;
    long nodes = 0;
    std::string chosen;
};

int main(int argc, char **argv)
{
    int depth = argc > 1 ? std::atoi(argv[1]) : 4;
    Search search(depth);
    int value = search.best(opening(), 1, depth, -1000000, 1000000);
    std::printf("value %d nodes %ld %s\n", value, search.nodes, search.chosen.c_str());
    return 0;
}
