// An ordinary program that allocates: an index of words, by the containers of the standard library.
// index WORDS; prints how many words, lines and entries it saw.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

static uint64_t state = 88172645463325252ull;

static uint64_t draw() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// Few words are frequent, many are rare.
static std::string word() {
    uint64_t number = draw() % (1 + draw() % 60000);
    std::string text = "w";
    for (; number; number /= 26) text += char('a' + number % 26);
    if (draw() % 4 == 0) text += "-of-some-length-as-names-are";
    return text;
}

struct Line {
    std::vector<std::string> words;
    size_t letters = 0;
};

static std::unique_ptr<Line> read_line() {
    auto line = std::make_unique<Line>();
    for (size_t left = 4 + draw() % 12; left; left--) {
        line->words.push_back(word());
        line->letters += line->words.back().size();
    }
    return line;
}

int main(int argc, char **argv) {
    const size_t wanted = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1000000;
    std::unordered_map<std::string, std::vector<uint32_t>> index;
    std::map<size_t, std::vector<std::string>> by_length;
    size_t words = 0, letters = 0;
    uint32_t lines = 0;
    for (; words < wanted; lines++) {
        const auto line = read_line();
        for (const auto &each : line->words) index[each].push_back(lines);
        words += line->words.size();
        letters += line->letters;
        if (lines % 64 == 0) {
            std::string joined;
            for (const auto &each : line->words) joined += each + " ";
            by_length[joined.size()].push_back(std::move(joined));
        }
    }
    std::vector<std::pair<size_t, std::string>> ranks;
    for (const auto &[text, places] : index) ranks.emplace_back(places.size(), text);
    std::sort(ranks.rbegin(), ranks.rend());
    printf("%zu words, %zu letters, %u lines, %zu entries, %zu lengths, most: %s\n", words, letters, lines, index.size(),
           by_length.size(), ranks.front().second.c_str());
    return 0;
}
