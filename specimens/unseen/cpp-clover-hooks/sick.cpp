// Clover hooks: takes in the messages of payment partners, reads their heads and books them by partner and kind.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace hooks {

std::uint64_t draw(std::uint64_t& state)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

void write_messages(const std::string& path, int count)
{
    std::ofstream out(path, std::ios::binary);
    std::uint64_t state = 88172645463325252ull;
    static const char* kinds[] = {"charge.succeeded", "charge.refunded", "payout.created", "dispute.opened.by.customer"};
    for (int n = 0; n < count; n++) {
        out << "X-Partner-Identifier: partner-number-" << draw(state) % 40 << '\n'
            << "X-Delivery-Attempt-Identifier: 00000000-" << draw(state) % 1000000 << "-delivery\n"
            << "X-Message-Kind-Of-Event: " << kinds[draw(state) % 4] << '\n'
            << "X-Signature-Of-The-Sender: " << draw(state) << draw(state) << '\n'
            << "X-Receiving-Region-Name: region-of-the-" << (draw(state) % 2 ? "northern" : "southern") << "-half\n"
            << "X-Amount-In-Minor-Units: " << draw(state) % 100000 << "\n\n";
    }
}

struct Field {
    std::string name;
    std::string value;
};

class Head {
public:
    void put(std::string_view line)
    {
        auto colon = line.find(':');
        if (colon == std::string_view::npos)
            return;
        fields_.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
    }

    std::string_view get(std::string_view name) const
    {
        for (const Field& field : fields_)
            if (field.name == name)
                return field.value;
        return std::string_view();
    }

    void clear() { std::vector<Field>().swap(fields_); }

private:
    std::vector<Field> fields_;
};

struct Account {
    std::uint64_t messages = 0;
    std::uint64_t amount = 0;
    std::uint64_t disputes = 0;
};

std::uint64_t number(std::string_view text)
{
    std::uint64_t value = 0;
    for (char digit : text)
        if (digit >= '0' && digit <= '9')
            value = value * 10 + std::uint64_t(digit - '0');
    return value;
}

std::uint32_t checksum(std::string_view text)
{
    std::uint32_t sum = 2166136261u;
    for (unsigned char byte : text)
        sum = (sum ^ byte) * 16777619u;
    return sum;
}

class Ledger {
public:
    Ledger() : accounts_(64) {}

    void book(const Head& head)
    {
        Account& account = accounts_[number(head.get("X-Partner-Identifier")) % accounts_.size()];
        account.messages++;
        account.amount += number(head.get("X-Amount-In-Minor-Units"));
        account.disputes += head.get("X-Message-Kind-Of-Event").substr(0, 7) == "dispute";
        seal_ = seal_ * 31 + checksum(head.get("X-Signature-Of-The-Sender"));
    }

    void print() const
    {
        std::uint64_t messages = 0, amount = 0, disputes = 0;
        for (const Account& account : accounts_) {
            messages += account.messages;
            amount += account.amount;
            disputes += account.disputes;
        }
        std::printf("messages %llu amount %llu disputes %llu seal %08x\n", (unsigned long long)messages,
                    (unsigned long long)amount, (unsigned long long)disputes, seal_);
    }

private:
    std::vector<Account> accounts_;
    std::uint32_t seal_ = 7;
};

void take_in(std::string_view text, Ledger& ledger)
{
    Head head;
    while (!text.empty()) {
        auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (!line.empty()) {
            head.put(line);
            continue;
        }
        ledger.book(head);
        head.clear();
    }
}

}  // namespace hooks

int main(int argc, char** argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::string path = "/tmp/clover-hooks-" + std::to_string(getpid());
    hooks::write_messages(path, 5000);
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    in.close();
    unlink(path.c_str());

    hooks::Ledger ledger;
    for (int day = 0; day < count; day++)
        hooks::take_in(text, ledger);
    ledger.print();
    return 0;
}
