// Sorts a register that is larger than its buffers: sorted runs on disk, then one merge.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <queue>
#include <string>
#include <unistd.h>
#include <vector>

struct Entry {
    uint64_t key;
    uint32_t shire;
    uint32_t acres;
};

static bool before(const Entry& a, const Entry& b)
{
    return a.key != b.key ? a.key < b.key : a.shire < b.shire;
}

class Source {
public:
    Entry next()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return {state >> 20, uint32_t(state % 41), uint32_t(state >> 50)};
    }

private:
    uint64_t state = 88172645463325252ull;
};

class Writer {
public:
    explicit Writer(const std::string& path) : file(std::fopen(path.c_str(), "wb")), room(1 << 20)
    {
        if (!file)
            std::exit(1);
        std::setvbuf(file, room.data(), _IOFBF, room.size());
    }

    void put(const Entry* entries, std::size_t count)
    {
        if (std::fwrite(entries, sizeof(Entry), count, file) != count)
            std::exit(1);
    }

    void close(bool keep)
    {
        std::fflush(file);
        if (keep)
            fsync(fileno(file));
        std::fclose(file);
    }

private:
    std::FILE* file;
    std::vector<char> room;
};

class Reader {
public:
    explicit Reader(const std::string& path) : file(std::fopen(path.c_str(), "rb")), block(16384)
    {
        if (!file)
            std::exit(1);
    }

    bool next(Entry& entry)
    {
        if (at == have) {
            have = std::fread(block.data(), sizeof(Entry), block.size(), file);
            at = 0;
            if (have == 0)
                return false;
        }
        entry = block[at++];
        return true;
    }

    void close() { std::fclose(file); }

private:
    std::FILE* file;
    std::vector<Entry> block;
    std::size_t at = 0, have = 0;
};

static std::vector<std::string> runs(const std::string& folder, std::size_t total, std::size_t size)
{
    Source source;
    std::vector<std::string> paths;
    std::vector<Entry> batch(size);
    for (std::size_t done = 0; done < total; done += size) {
        for (auto& entry : batch)
            entry = source.next();
        std::sort(batch.begin(), batch.end(), before);
        paths.push_back(folder + "/run-" + std::to_string(paths.size()));
        Writer out(paths.back());
        out.put(batch.data(), batch.size());
        out.close(false);
    }
    return paths;
}

struct Head {
    Entry entry;
    std::size_t run;
    bool operator<(const Head& other) const { return before(other.entry, entry); }
};

static uint64_t merge(const std::vector<std::string>& paths, const std::string& target)
{
    std::vector<Reader> readers;
    std::priority_queue<Head> heads;
    for (const auto& path : paths) {
        readers.emplace_back(path);
        Head head{{}, readers.size() - 1};
        if (readers.back().next(head.entry))
            heads.push(head);
    }
    Writer out(target);
    uint64_t seal = 0;
    while (!heads.empty()) {
        Head head = heads.top();
        heads.pop();
        seal = seal * 1099511628211ull + head.entry.key + head.entry.acres;
        out.put(&head.entry, 1);
        if (readers[head.run].next(head.entry))
            heads.push(head);
    }
    out.close(true);
    for (auto& reader : readers)
        reader.close();
    return seal;
}

int main(int argc, char** argv)
{
    const std::size_t total = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
    std::string folder = (std::filesystem::temp_directory_path() / "registryXXXXXX").string();
    if (!mkdtemp(folder.data()))
        return 1;
    const auto paths = runs(folder, total, 250000);
    const uint64_t seal = merge(paths, folder + "/sorted");
    const auto bytes = std::filesystem::file_size(folder + "/sorted");
    std::printf("%zu runs, %ju bytes, %016jx\n", paths.size(), uintmax_t(bytes), uintmax_t(seal));
    std::filesystem::remove_all(folder);
    return 0;
}
