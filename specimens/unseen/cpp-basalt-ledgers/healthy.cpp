// Basalt ledgers: the entries of a quarry bank are too many for its small desk, so they are sorted in runs and merged.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct Entry {
    uint64_t account;
    uint64_t moment;
    int64_t amount;

    bool operator<(const Entry &other) const
    {
        return account != other.account ? account < other.account : moment < other.moment;
    }
};

constexpr std::size_t run_length = 150000;
constexpr std::size_t block = 1 << 15;

// A folder for the runs, gone at the end.
class Desk {
public:
    Desk()
    {
        const char *folder = std::getenv("TMPDIR");
        path_ = std::string(folder ? folder : "/tmp") + "/basalt-XXXXXX";
        if (!mkdtemp(path_.data()))
            throw std::runtime_error("no folder for the runs");
    }
    ~Desk()
    {
        for (const auto &name : names_)
            std::remove(name.c_str());
        rmdir(path_.c_str());
    }
    std::string sheet(const std::string &name)
    {
        std::lock_guard<std::mutex> held(guard_);
        names_.push_back(path_ + "/" + name);
        return names_.back();
    }

private:
    std::string path_;
    std::vector<std::string> names_;
    std::mutex guard_;
};

struct Closer {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

File open_sheet(const std::string &path, const char *mode)
{
    File file(std::fopen(path.c_str(), mode));
    if (!file)
        throw std::runtime_error("cannot open " + path);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    return file;
}

class Writer {
public:
    explicit Writer(const std::string &path) : file_(open_sheet(path, "wb")) { waiting_.reserve(block); }
    void put(const Entry &entry)
    {
        waiting_.push_back(entry);
        if (waiting_.size() == block)
            flush();
    }
    void flush()
    {
        if (std::fwrite(waiting_.data(), sizeof(Entry), waiting_.size(), file_.get()) != waiting_.size())
            throw std::runtime_error("cannot write");
        waiting_.clear();
    }

private:
    File file_;
    std::vector<Entry> waiting_;
};

class Reader {
public:
    explicit Reader(const std::string &path) : file_(open_sheet(path, "rb")), held_(block) {}
    const Entry *next()
    {
        if (at_ == filled_) {
            filled_ = std::fread(held_.data(), sizeof(Entry), block, file_.get());
            at_ = 0;
        }
        return at_ < filled_ ? &held_[at_++] : nullptr;
    }

private:
    File file_;
    std::vector<Entry> held_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
};

void fill(std::vector<Entry> &run, std::size_t number)
{
    uint64_t state = 0x9E3779B97F4A7C15u * (number + 1);
    for (std::size_t place = 0; place < run.size(); place++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        run[place] = {state % 90001, number * run_length + place, int64_t(state >> 40) - (1 << 23)};
    }
}

// Two clerks take the runs in turn; each sorts one in memory and lays it down.
std::vector<std::string> sort_runs(Desk &desk, std::size_t runs)
{
    std::vector<std::string> sheets(runs);
    std::atomic<std::size_t> next{0};
    auto clerk = [&] {
        std::vector<Entry> run(run_length);
        for (std::size_t number; (number = next++) < runs;) {
            fill(run, number);
            std::sort(run.begin(), run.end());
            sheets[number] = desk.sheet("run-" + std::to_string(number));
            Writer writer(sheets[number]);
            for (const Entry &entry : run)
                writer.put(entry);
            writer.flush();
        }
    };
    std::array<std::thread, 2> clerks{std::thread(clerk), std::thread(clerk)};
    for (auto &one : clerks)
        one.join();
    return sheets;
}

void merge(const std::vector<std::string> &sheets, const std::string &into)
{
    struct Head {
        Entry entry;
        std::size_t from;
        bool operator<(const Head &other) const { return other.entry < entry; }
    };
    std::vector<std::unique_ptr<Reader>> readers;
    std::priority_queue<Head> heads;
    for (const auto &sheet : sheets) {
        readers.push_back(std::make_unique<Reader>(sheet));
        if (const Entry *first = readers.back()->next())
            heads.push({*first, readers.size() - 1});
    }
    Writer writer(into);
    while (!heads.empty()) {
        Head head = heads.top();
        heads.pop();
        writer.put(head.entry);
        if (const Entry *next = readers[head.from]->next())
            heads.push({*next, head.from});
    }
    writer.flush();
}

int main(int argc, char **argv)
{
    std::size_t runs = argc > 1 ? std::size_t(std::atoi(argv[1])) : 2;
    Desk desk;
    auto sheets = sort_runs(desk, runs);
    std::string ledger = desk.sheet("ledger");
    merge(sheets, ledger);
    Reader reader(ledger);
    uint64_t seal = 17, accounts = 0, last = UINT64_MAX;
    int64_t deepest = 0, balance = 0;
    std::size_t entries = 0;
    while (const Entry *entry = reader.next()) {
        if (entry->account != last) {
            accounts++;
            balance = 0;
            last = entry->account;
        }
        balance += entry->amount;
        deepest = std::min(deepest, balance);
        seal = (seal ^ uint64_t(balance)) * 1099511628211u + entry->moment;
        entries++;
    }
    std::printf("%zu entries, %llu accounts, deepest %lld, seal %016llx\n", entries, static_cast<unsigned long long>(accounts),
                static_cast<long long>(deepest), static_cast<unsigned long long>(seal));
    return 0;
}
