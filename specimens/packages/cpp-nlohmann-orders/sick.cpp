// Says what the orders of each region are worth.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

using nlohmann::json;

static std::string book(int orders)
{
    std::string text = "[";
    for (int at = 0; at < orders; at++) {
        text += at ? "," : "";
        text += "{\"region\":" + std::to_string(at % 32) + ",\"customer\":\"customer number " + std::to_string(at * 7919 % 5003)
            + "\",\"street\":\"a street with a long enough name\",\"lines\":[";
        for (int line = 0; line < 4; line++) {
            text += line ? "," : "";
            text += "{\"article\":\"article with number " + std::to_string(at + line) + "\",\"cents\":" + std::to_string((at * 31 + line) % 997) + "}";
        }
        text += "]}";
    }
    return text + "]";
}

static long worth(const json &orders, int region)
{
    long cents = 0;
    for (auto order : orders) {
        if (order["region"] == region) {
            for (const auto &line : order["lines"]) {
                cents += line["cents"].get<long>();
            }
        }
    }
    return cents;
}

int main(int count, char **words)
{
    const json orders = json::parse(book(count > 1 ? atoi(words[1]) : 1000));
    long cents = 0;
    for (int region = 0; region < 32; region++) {
        cents += worth(orders, region) * (region + 1);
    }
    printf("%zu orders, check %ld\n", orders.size(), cents);
    return 0;
}
