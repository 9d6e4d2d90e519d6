// Counts what passes the tollgates of a turnpike and keeps a book of it, a line for each cart.
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

struct Cart {
    int gate;
    int axles;
    int pence;
};

static Cart cart(int number)
{
    int axles = 1 + number % 3;
    return {number * 7 % 5, axles, axles * (4 + number % 2)};
}

static std::shared_ptr<spdlog::logger> book(const std::string &path)
{
    auto book = spdlog::basic_logger_mt("tolls", path, true);
    book->set_pattern("[%H:%M:%S.%e] %v");
    book->flush_on(spdlog::level::err);
    return book;
}

static long tolls(spdlog::logger &book, int carts)
{
    std::array<long, 5> gates{};
    for (int number = 0; number < carts; number++) {
        Cart passed = cart(number);
        gates[passed.gate] += passed.pence;
        book.info("gate {} cart {} axles {} pence {}", passed.gate, number, passed.axles, passed.pence);
    }
    long total = 0;
    for (long pence : gates) {
        total += pence;
    }
    return total;
}

int main(int count, char **words)
{
    int carts = count > 1 ? std::stoi(words[1]) : 1000;
    std::string path = std::filesystem::temp_directory_path() / ("tolls-" + std::to_string(getpid()) + ".log");
    long pence = tolls(*book(path), carts);
    spdlog::shutdown();
    std::remove(path.c_str());
    std::printf("%d carts, %ld pence\n", carts, pence);
    return 0;
}
