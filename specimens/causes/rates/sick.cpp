// A currency desk: several clerks convert amounts; unknown rates are asked from a quoting peer on this machine.
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int listen_here(sockaddr_in &address) {
    int door = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(door, reinterpret_cast<sockaddr *>(&address), length) || listen(door, 16)) std::exit(1);
    getsockname(door, reinterpret_cast<sockaddr *>(&address), &length);
    return door;
}

static void quote_to(int client) {
    uint32_t pair;
    while (read(client, &pair, sizeof pair) == sizeof pair) {
        usleep(4000);
        uint32_t rate = 1000 + pair * 2654435761u % 9000;
        if (write(client, &rate, sizeof rate) != sizeof rate) break;
    }
    close(client);
}

static void quoting_peer(int door, int clients) {
    std::vector<std::thread> threads;
    for (int i = 0; i < clients; i++) threads.emplace_back(quote_to, accept(door, nullptr, nullptr));
    for (auto &thread : threads) thread.join();
    _exit(0);
}

static int reach(const sockaddr_in &address) {
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, reinterpret_cast<const sockaddr *>(&address), sizeof address)) std::exit(1);
    int on = 1;
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return line;
}

static uint32_t ask(int line, uint32_t pair) {
    uint32_t rate = 0;
    if (write(line, &pair, sizeof pair) != sizeof pair) std::exit(1);
    if (read(line, &rate, sizeof rate) != sizeof rate) std::exit(1);
    return rate;
}

class Desk {
  public:
    uint32_t rate_of(int line, uint32_t pair) {
        std::lock_guard<std::mutex> guard(mutex_);
        auto known = rates_.find(pair);
        if (known != rates_.end()) return known->second;
        uint32_t rate = ask(line, pair);
        rates_[pair] = rate;
        return rate;
    }

  private:
    std::mutex mutex_;
    std::map<uint32_t, uint32_t> rates_;
};

static uint64_t convert(Desk &desk, int line, uint32_t clerk, uint32_t pairs) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < pairs; i++)
        for (uint32_t amount = 1; amount <= 5; amount++) sum += uint64_t{amount} * desk.rate_of(line, clerk * pairs + i);
    return sum;
}

static uint64_t poster(std::atomic<bool> &closing) {
    uint64_t hash = 1;
    while (!closing.load(std::memory_order_relaxed)) hash = hash * 6364136223846793005ull + 1;
    return hash;
}

int main(int count, char **argument) {
    uint32_t pairs = count > 1 ? static_cast<uint32_t>(std::atoi(argument[1])) : 90;
    const uint32_t clerks = 4;
    sockaddr_in address{};
    int door = listen_here(address);
    pid_t peer = fork();
    if (peer == 0) quoting_peer(door, clerks);
    close(door);
    Desk desk;
    std::atomic<bool> closing{false};
    std::thread decoration([&] { poster(closing); });
    std::vector<uint64_t> sums(clerks);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < clerks; i++)
        threads.emplace_back([&, i] {
            int line = reach(address);
            sums[i] = convert(desk, line, i, pairs);
            close(line);
        });
    for (auto &thread : threads) thread.join();
    closing = true;
    decoration.join();
    waitpid(peer, nullptr, 0);
    uint64_t sum = 0;
    for (uint64_t one : sums) sum = sum * 31 + one;
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
