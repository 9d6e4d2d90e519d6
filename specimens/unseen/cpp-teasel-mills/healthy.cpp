// Settles the yearly accounts of wool mills: each account is replayed day by day, on all processors.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct Account {
    unsigned number = 0;
    unsigned entries = 0;
    std::string mill;
};

struct Balance {
    std::uint64_t amount = 0;
    std::uint64_t interest = 0;
};

class Book {
public:
    explicit Book(std::string path) : path_(std::move(path)) {}

    void write(unsigned accounts) const
    {
        std::ofstream out(path_);
        std::uint32_t state = 17;
        for (unsigned number = 0; number < accounts; number++) {
            state = state * 1664525u + 1013904223u;
            unsigned entries = 600000 / (number + 4) + (state >> 26);
            out << number << ' ' << entries << " mill" << state % 97 << '\n';
        }
    }

    std::vector<Account> read() const
    {
        std::vector<Account> accounts;
        std::ifstream in(path_);
        std::string line;
        while (std::getline(in, line)) {
            std::istringstream fields(line);
            Account account;
            fields >> account.number >> account.entries >> account.mill;
            accounts.push_back(account);
        }
        return accounts;
    }

    void remove() const { ::unlink(path_.c_str()); }

private:
    std::string path_;
};

class Settlement {
public:
    Settlement(const std::vector<Account> &accounts, unsigned days)
        : accounts_(accounts), balances_(accounts.size()), days_(days) {}

    void run(unsigned hands)
    {
        std::vector<std::thread> crew;
        for (unsigned hand = 0; hand < hands; hand++)
            crew.emplace_back([this] { work(); });
        for (auto &member : crew)
            member.join();
    }

    std::uint64_t total() const
    {
        std::uint64_t sum = 0;
        for (const auto &balance : balances_)
            sum = sum * 31 + (balance.amount ^ balance.interest);
        return sum;
    }

private:
    void work()
    {
        for (std::size_t at = next_++; at < accounts_.size(); at = next_++)
            balances_[at] = replay(accounts_[at]);
    }

    Balance replay(const Account &account) const
    {
        Balance balance;
        std::uint64_t state = account.number + account.mill.size();
        for (unsigned entry = 0; entry < account.entries; entry++) {
            for (unsigned day = 0; day < days_; day++)
                state = state * 6364136223846793005ull + (state >> 33) + day;
            balance.amount += state >> 44;
            balance.interest ^= balance.amount * 3 / 1000;
        }
        return balance;
    }

    const std::vector<Account> &accounts_;
    std::vector<Balance> balances_;
    unsigned days_;
    std::atomic<std::size_t> next_{0};
};

int main(int argc, char **argv)
{
    unsigned days = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 5;
    const char *folder = std::getenv("TMPDIR");
    Book book(std::string(folder ? folder : "/tmp") + "/book." + std::to_string(getpid()) + ".txt");
    book.write(6000);
    std::vector<Account> accounts = book.read();
    book.remove();
    Settlement settlement(accounts, days);
    settlement.run(2);
    std::printf("accounts %zu total %llx\n", accounts.size(), static_cast<unsigned long long>(settlement.total()));
    return 0;
}
