// Prices a batch of orders against a catalogue and prints the turnover.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

struct Product {
    std::string code;
    std::string title;
    long cents;
};

struct Line {
    std::string code;
    int pieces;
};

struct Order {
    std::string customer;
    std::vector<Line> lines;
};

static uint32_t seed = 31;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static std::string code_of(uint32_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "SKU-EU-2024-%07u", number);
    return text;
}

class Catalogue {
  public:
    void add(Product product) {
        places_.emplace(product.code, products_.size());
        products_.push_back(std::move(product));
    }

    long price_of(const std::string &code) const {
        auto at = std::find_if(products_.begin(), products_.end(), [&](const Product &one) { return one.code == code; });
        return at == products_.end() ? 0 : at->cents;
    }

    size_t size() const { return products_.size(); }

  private:
    std::vector<Product> products_;
    std::unordered_map<std::string, size_t> places_;
};

static Catalogue stock(uint32_t products) {
    Catalogue catalogue;
    for (uint32_t i = 0; i < products; i++)
        catalogue.add({code_of(i), "article " + std::to_string(i), 100 + static_cast<long>(roll(9000))});
    return catalogue;
}

static std::vector<Order> take_orders(uint32_t orders, uint32_t products) {
    std::vector<Order> taken(orders);
    for (auto &order : taken) {
        order.customer = "customer " + std::to_string(roll(5000));
        for (uint32_t i = 0; i < 12; i++) order.lines.push_back({code_of(roll(products)), 1 + static_cast<int>(roll(5))});
    }
    return taken;
}

static long line_total(const Catalogue &catalogue, const Line &line) {
    long total = catalogue.price_of(line.code) * line.pieces;
    return line.pieces > 3 ? total * 95 / 100 : total;
}

static std::string print(const Order &order, long total) {
    std::string page = order.customer + "\n";
    char row[96];
    for (int copy = 0; copy < 30; copy++)
        for (const auto &line : order.lines) {
            std::snprintf(row, sizeof row, "%-24s x%-3d of %ld\n", line.code.c_str(), line.pieces, total);
            page += row;
        }
    return page;
}

static uint64_t invoice(const Catalogue &catalogue, const std::vector<Order> &orders) {
    uint64_t sum = catalogue.size();
    for (const auto &order : orders) {
        long total = 0;
        for (const auto &line : order.lines) total += line_total(catalogue, line);
        for (char letter : print(order, total)) sum = sum * 31 + static_cast<uint8_t>(letter);
    }
    return sum;
}

int main(int count, char **argument) {
    uint32_t orders = count > 1 ? static_cast<uint32_t>(std::atoi(argument[1])) : 2500;
    uint32_t products = orders * 4;
    Catalogue catalogue = stock(products);
    std::printf("%016llx\n", static_cast<unsigned long long>(invoice(catalogue, take_orders(orders, products))));
    return 0;
}
