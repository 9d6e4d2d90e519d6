// Juniper shelves: a village library puts its books in order by title, as its old card index did, and prints the shelves.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

struct Book {
    std::string title;
    std::string author;
    uint32_t year = 0;
    uint32_t loans = 0;
};

// Where a title stands: letters only, articles left out, numbers with leading noughts.
struct Standing {
    std::array<uint8_t, 56> letters{};
};

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint32_t below(uint32_t limit)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return uint32_t((state_ >> 24) % limit);
    }

private:
    uint64_t state_;
};

constexpr std::array<std::string_view, 8> articles{"the ", "a ", "an ", "le ", "la ", "der ", "die ", "das "};

// Accents of the two-byte letters from U+00C0 on, as the card index files them.
constexpr std::string_view plain = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty";

uint8_t fold(std::string_view text, std::size_t &at)
{
    auto byte = static_cast<unsigned char>(text[at++]);
    if (byte >= 'A' && byte <= 'Z')
        return uint8_t(byte + 32);
    if (byte == 0xC3 && at < text.size())
        return uint8_t(plain[static_cast<unsigned char>(text[at++]) & 63]);
    return byte;
}

bool digit(uint8_t letter) { return letter >= '0' && letter <= '9'; }

Standing standing_of(std::string_view title)
{
    std::array<uint8_t, 96> folded{};
    std::size_t length = 0;
    for (std::size_t at = 0; at < title.size() && length < folded.size();)
        folded[length++] = fold(title, at);
    std::size_t from = 0;
    for (std::string_view article : articles)
        if (length > article.size() && std::memcmp(folded.data(), article.data(), article.size()) == 0) {
            from = article.size();
            break;
        }
    Standing standing;
    std::size_t place = 0;
    while (from < length && place + 8 < standing.letters.size()) {
        if (digit(folded[from])) {
            std::size_t stop = from;
            while (stop < length && digit(folded[stop]))
                stop++;
            for (std::size_t pad = stop - from; pad < 6; pad++)
                standing.letters[place++] = '0';
            while (from < stop && place < standing.letters.size())
                standing.letters[place++] = folded[from++];
        } else if (folded[from] >= 'a' && folded[from] <= 'z') {
            standing.letters[place++] = folded[from++];
        } else {
            from++;
        }
    }
    return standing;
}

bool before(const Standing &left, const Standing &right)
{
    return std::memcmp(left.letters.data(), right.letters.data(), left.letters.size()) < 0;
}

std::vector<Book> buy(uint32_t count)
{
    static const std::array<const char *, 8> heads{"The ", "A ", "Die ", "", "", "Le ", "An ", ""};
    static const std::array<const char *, 12> words{"Winter", "\xC3\x89t\xC3\xA9", "Stra\xC3\x9F" "e", "Garden", "Letters", "K\xC3\xB6nig",
                                                    "Harbour", "For\xC3\xAAt", "Ladder", "Sisters", "Orchard", "Silence"};
    static const std::array<const char *, 6> links{" of ", " and ", ", ", " und ", " de ", " without "};
    Random random(424243);
    std::vector<Book> books(count);
    for (Book &book : books) {
        book.title = heads[random.below(8)];
        book.title += words[random.below(12)];
        for (uint32_t more = 1 + random.below(3); more > 0; more--) {
            book.title += links[random.below(6)];
            book.title += words[random.below(12)];
        }
        book.title += " " + std::to_string(random.below(4000));
        book.author = "author " + std::to_string(random.below(900));
        book.year = 1780 + random.below(240);
        book.loans = random.below(5000);
    }
    return books;
}

std::vector<uint32_t> numbered(std::size_t count)
{
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

std::vector<uint32_t> by_title(const std::vector<Book> &books)
{
    auto order = numbered(books.size());
    std::vector<Standing> standings;
    standings.reserve(books.size());
    for (const Book &book : books)
        standings.push_back(standing_of(book.title));
    std::stable_sort(order.begin(), order.end(), [&](uint32_t left, uint32_t right) {
        return before(standings[left], standings[right]);
    });
    return order;
}

// The most lent ones first; the desk keeps a list of these as well.
std::vector<uint32_t> by_loans(const std::vector<Book> &books)
{
    auto order = numbered(books.size());
    std::stable_sort(order.begin(), order.end(), [&](uint32_t left, uint32_t right) {
        return books[left].loans != books[right].loans ? books[left].loans > books[right].loans
                                                       : books[left].author < books[right].author;
    });
    return order;
}

uint64_t seal(const std::vector<Book> &books, const std::vector<uint32_t> &order)
{
    uint64_t sum = 14695981039346656037u;
    for (uint32_t number : order) {
        for (unsigned char letter : books[number].title)
            sum = (sum ^ letter) * 1099511628211u;
        sum ^= books[number].year;
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? uint32_t(std::atoi(argv[1])) : 500;
    auto books = buy(count);
    auto shelves = by_title(books);
    auto desk = by_loans(books);
    std::printf("%u books, first %s, last %s, most lent %u times, seals %016llx %016llx\n", count,
                books[shelves.front()].title.c_str(), books[shelves.back()].title.c_str(), books[desk.front()].loans,
                static_cast<unsigned long long>(seal(books, shelves)), static_cast<unsigned long long>(seal(books, desk)));
    return 0;
}
