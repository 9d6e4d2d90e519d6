// Thistle maps: shortest ways on a grid of fields from a number of farms, two workers.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

struct Edge {
    uint32_t to;
    uint32_t cost;
};

// Neighbours of all fields in one array, with the place where each begins.
class Graph {
public:
    explicit Graph(uint32_t side) : side(side)
    {
        begins.push_back(0);
        for (uint32_t field = 0; field < side * side; ++field) {
            uint32_t row = field / side, column = field % side;
            if (row > 0)
                link(field, field - side);
            if (row + 1 < side)
                link(field, field + side);
            if (column > 0)
                link(field, field - 1);
            if (column + 1 < side)
                link(field, field + 1);
            begins.push_back(static_cast<uint32_t>(edges.size()));
        }
    }
    uint32_t size() const { return side * side; }
    const Edge *begin(uint32_t field) const { return edges.data() + begins[field]; }
    const Edge *end(uint32_t field) const { return edges.data() + begins[field + 1]; }

private:
    void link(uint32_t from, uint32_t to)
    {
        uint32_t value = (from * 2654435761u) ^ (to * 40503u);
        edges.push_back({to, 1 + (value >> 7) % 50});
    }
    uint32_t side;
    std::vector<uint32_t> begins;
    std::vector<Edge> edges;
};

class Walker {
public:
    explicit Walker(const Graph &graph) : graph(graph), best(graph.size()) {}

    uint64_t walk(uint32_t farm)
    {
        best.assign(graph.size(), UINT32_MAX);
        using Step = std::pair<uint32_t, uint32_t>;
        std::priority_queue<Step, std::vector<Step>, std::greater<Step>> open;
        best[farm] = 0;
        open.push({0, farm});
        while (!open.empty()) {
            auto [cost, field] = open.top();
            open.pop();
            if (cost != best[field])
                continue;
            for (const Edge *edge = graph.begin(field); edge != graph.end(field); ++edge) {
                uint32_t through = cost + edge->cost;
                if (through < best[edge->to]) {
                    best[edge->to] = through;
                    open.push({through, edge->to});
                }
            }
        }
        uint64_t sum = 0;
        for (uint32_t cost : best)
            sum += cost;
        return sum;
    }

private:
    const Graph &graph;
    std::vector<uint32_t> best;
};

int main(int argc, char **argv)
{
    uint32_t farms = argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 2;
    Graph graph(420);
    std::vector<uint64_t> sums(farms);
    std::atomic<uint32_t> next{0};
    auto work = [&] {
        Walker walker(graph);
        for (uint32_t farm = next++; farm < farms; farm = next++)
            sums[farm] = walker.walk(farm * 7919 % graph.size());
    };
    std::vector<std::thread> workers;
    for (int number = 0; number < 2; ++number)
        workers.emplace_back(work);
    for (auto &worker : workers)
        worker.join();
    uint64_t total = 0;
    for (uint64_t sum : sums)
        total = total * 31 + sum;
    std::printf("%u farms, total %llu\n", farms, static_cast<unsigned long long>(total));
    return 0;
}
