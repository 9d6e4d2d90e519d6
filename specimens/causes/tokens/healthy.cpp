// Reads source files of a small language and rates their expressions.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

enum class Kind { word, number, sign };

struct Token {
    Kind kind;
    std::string_view text;
    std::string_view origin;
};

using Held = Token;

static uint32_t seed = 3;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static std::string write_source(size_t statements) {
    static const char *names[] = {"temperature_of_inner_vessel", "pressure_at_second_valve", "rate", "x",
                                  "accumulated_energy_in_joule"};
    std::string source;
    for (size_t i = 0; i < statements; i++) {
        source += names[roll(5)];
        source += " = ";
        source += names[roll(5)];
        source += "+*-/"[roll(4)];
        source += std::to_string(roll(100000)) + ";\n";
    }
    return source;
}

static Kind kind_of(char letter) {
    if (std::isalpha(static_cast<unsigned char>(letter)) || letter == '_') return Kind::word;
    return std::isdigit(static_cast<unsigned char>(letter)) ? Kind::number : Kind::sign;
}

static std::vector<Held> lex(std::string_view source, std::string_view origin) {
    std::vector<Held> tokens;
    size_t at = 0;
    while (at < source.size()) {
        if (std::isspace(static_cast<unsigned char>(source[at]))) {
            at++;
            continue;
        }
        Kind kind = kind_of(source[at]);
        size_t end = at + 1;
        while (kind != Kind::sign && end < source.size() && kind_of(source[end]) == kind) end++;
        tokens.push_back(Token{kind, source.substr(at, end - at), origin});
        at = end;
    }
    return tokens;
}

static const Token &look(const Held &token) {
    return token;
}

static uint64_t rate(const std::vector<Held> &tokens) {
    uint64_t sum = 0;
    for (const Held &held : tokens) {
        const Token &token = look(held);
        uint64_t hash = static_cast<uint64_t>(token.kind) + 5381;
        for (char letter : token.text) hash = hash * 33 + static_cast<uint8_t>(letter);
        sum = sum * 31 + hash;
    }
    return sum;
}

static uint64_t lines(std::string_view source) {
    uint64_t sum = 0;
    for (char letter : source) sum = sum * 31 + (letter == '\n');
    return sum;
}

int main(int count, char **argument) {
    int rounds = count > 1 ? std::atoi(argument[1]) : 60;
    uint64_t sum = 0;
    std::string source;
    for (int i = 0; i < rounds; i++) {
        if (i % 5 == 0) source = write_source(8000);
        sum = sum * 31 + rate(lex(source, "plant/unit/controller/main.src")) + lines(source);
    }
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
