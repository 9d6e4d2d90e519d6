// Price office of a fish market: each new price goes to all stalls, which answer when their sign shows it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Notice {
    std::uint32_t number;
    std::uint32_t fish;
    std::uint32_t cents;
};

void must(bool good, const char *what)
{
    if (!good)
        throw std::runtime_error(what);
}

bool receive_all(int socket, void *into, std::size_t length)
{
    return ::recv(socket, into, length, MSG_WAITALL) == static_cast<ssize_t>(length);
}

// The sign at a stall: takes notices from one office and turns its plates.
class Sign {
public:
    Sign() : listener_(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        must(::bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0, "bind");
        must(::listen(listener_, 4) == 0, "listen");
        socklen_t length = sizeof address;
        must(::getsockname(listener_, reinterpret_cast<sockaddr *>(&address), &length) == 0, "getsockname");
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }

    ~Sign()
    {
        thread_.join();
        ::close(listener_);
    }

    std::uint16_t port() const { return port_; }

private:
    void serve()
    {
        int office = ::accept(listener_, nullptr, nullptr);
        Notice notice{};
        while (receive_all(office, &notice, sizeof notice)) {
            std::this_thread::sleep_for(std::chrono::microseconds(2500));
            std::uint32_t shown = notice.number * 31 + notice.fish * 7 + notice.cents;
            if (::send(office, &shown, sizeof shown, MSG_NOSIGNAL) != sizeof shown)
                break;
        }
        ::close(office);
    }

    int listener_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

// The office's line to one stall.
class Stall {
public:
    explicit Stall(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        must(::connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0, "connect");
        int on = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    ~Stall() { ::close(socket_); }

    std::uint32_t show(const Notice &notice)
    {
        std::lock_guard<std::mutex> guard(line_);
        std::uint32_t shown = 0;
        must(::send(socket_, &notice, sizeof notice, MSG_NOSIGNAL) == sizeof notice, "send");
        must(receive_all(socket_, &shown, sizeof shown), "receive");
        return shown;
    }

private:
    int socket_;
    std::mutex line_;
};

class Office {
public:
    void add(std::uint16_t port) { stalls_.push_back(std::make_unique<Stall>(port)); }

    void publish(const Notice &notice)
    {
        std::vector<std::future<void>> told;
        for (auto &stall : stalls_)
            told.push_back(std::async(std::launch::async, [this, &stall, notice] { confirm(stall->show(notice)); }));
        for (auto &one : told)
            one.get();
        history_[notice.fish].push_back(notice.cents);
    }

    std::uint64_t confirmed() const { return confirmed_; }

    std::uint64_t mean(std::uint32_t fish) const
    {
        auto found = history_.find(fish);
        if (found == history_.end())
            return 0;
        std::uint64_t sum = 0;
        for (std::uint32_t cents : found->second)
            sum += cents;
        return sum / found->second.size();
    }

private:
    void confirm(std::uint32_t shown)
    {
        std::lock_guard<std::mutex> guard(count_);
        confirmed_ += shown;
    }

    std::vector<std::unique_ptr<Stall>> stalls_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> history_;
    std::mutex count_;
    std::uint64_t confirmed_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    const unsigned notices = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60;
    std::vector<std::unique_ptr<Sign>> signs;
    for (int i = 0; i < 10; i++)
        signs.push_back(std::make_unique<Sign>());
    std::uint64_t means = 0;
    std::uint64_t confirmed = 0;
    {
        Office office;
        for (auto &sign : signs)
            office.add(sign->port());
        for (unsigned number = 0; number < notices; number++)
            office.publish(Notice{number, number % 7, 250 + number * 37 % 900});
        for (std::uint32_t fish = 0; fish < 7; fish++)
            means += office.mean(fish);
        confirmed = office.confirmed();
    }
    std::printf("notices %u means %llu confirmed %llu\n", notices, static_cast<unsigned long long>(means),
                static_cast<unsigned long long>(confirmed));
    return 0;
}
