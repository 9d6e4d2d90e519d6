// Reads a list of host names, refuses the malformed and counts the rest by domain.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

static uint32_t seed = 8;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

struct Census {
    std::map<std::string, long> domains;
    long refused = 0;
    long admitted = 0;
};

static std::string invent() {
    static const char *heads[] = {"db", "www", "cache", "mail", "edge", "node"};
    static const char *tails[] = {"example.org", "example.net", "internal.example", "test.example"};
    std::string name = heads[roll(6)];
    name += std::to_string(roll(1000)) + "." + tails[roll(4)];
    return name;
}

static std::vector<std::string> read_list(size_t length) {
    std::vector<std::string> names;
    for (size_t i = 0; i < length; i++) {
        if (i % 1250 == 100) names.push_back("backupreplica" + std::to_string(100 + roll(900)) + "_x");
        else names.push_back(invent());
    }
    return names;
}

static bool well_formed(const std::string &name) {
    static const std::regex form("([a-z0-9]+[.-]?)+", std::regex::optimize);
    return std::regex_match(name, form);
}

static std::string domain_of(const std::string &name) {
    size_t dot = name.find('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

static bool check(const std::string &name) { return name.size() < 64 && well_formed(name); }

static void admit(Census &census, const std::string &name) {
    if (!check(name)) {
        census.refused++;
        return;
    }
    census.admitted++;
    census.domains[domain_of(name)]++;
}

static uint64_t digest(const Census &census) {
    uint64_t sum = static_cast<uint64_t>(census.refused) * 1000003 + static_cast<uint64_t>(census.admitted);
    for (const auto &[domain, seen] : census.domains) {
        for (char letter : domain) sum = sum * 31 + static_cast<uint8_t>(letter);
        sum += static_cast<uint64_t>(seen);
    }
    return sum;
}

int main(int count, char **argument) {
    size_t length = count > 1 ? static_cast<size_t>(std::atol(argument[1])) : 300000;
    Census census;
    for (const auto &name : read_list(length)) admit(census, name);
    std::printf("%016llx\n", static_cast<unsigned long long>(digest(census)));
    return 0;
}
