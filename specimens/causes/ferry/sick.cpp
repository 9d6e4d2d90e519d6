// Plans crossings with the departures that a local timetable server tells.
#include <arpa/inet.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Crossing {
    uint32_t port;
    uint32_t departure;
    uint64_t cost;
};

static int open_door(sockaddr_in &address) {
    int door = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(door, reinterpret_cast<sockaddr *>(&address), length) || listen(door, 4)) std::exit(1);
    getsockname(door, reinterpret_cast<sockaddr *>(&address), &length);
    return door;
}

static uint32_t departure(uint32_t port, uint32_t after) {
    usleep(60000);
    return after + 5 + port * 7919 % 55;
}

static void answer_questions(int door) {
    int line = accept(door, nullptr, nullptr);
    uint32_t question[2];
    while (recv(line, question, sizeof question, MSG_WAITALL) == sizeof question) {
        uint32_t answer = departure(question[0], question[1]);
        if (send(line, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) break;
    }
    _exit(0);
}

class Timetable {
  public:
    explicit Timetable(const sockaddr_in &address) : line_(socket(AF_INET, SOCK_STREAM, 0)) {
        if (connect(line_, reinterpret_cast<const sockaddr *>(&address), sizeof address)) std::exit(1);
    }
    ~Timetable() { close(line_); }

    uint32_t next(uint32_t port, uint32_t after) {
        uint32_t question[2] = {port, after}, answer = 0;
        if (send(line_, question, sizeof question, MSG_NOSIGNAL) != sizeof question) std::exit(1);
        if (recv(line_, &answer, sizeof answer, MSG_WAITALL) != sizeof answer) std::exit(1);
        return answer;
    }

  private:
    int line_;
};

static uint64_t price(uint32_t port, uint32_t departure) {
    std::vector<uint32_t> lanes(4096, port);
    uint64_t sum = departure;
    for (uint32_t round = 0; round < 1500; round++)
        for (size_t i = 1; i < lanes.size(); i++) {
            lanes[i] = lanes[i - 1] + lanes[i] * 3 + round;
            sum += lanes[i] & 15;
        }
    return sum;
}

static std::vector<Crossing> plan(Timetable &timetable, uint32_t crossings) {
    std::vector<Crossing> planned;
    uint32_t now = 6 * 60;
    for (uint32_t i = 0; i < crossings; i++) {
        uint32_t departure = timetable.next(i % 9, now);
        planned.push_back({i % 9, departure, price(i % 9, departure)});
        now = departure + 20;
    }
    return planned;
}

int main(int count, char **argument) {
    uint32_t crossings = count > 1 ? static_cast<uint32_t>(std::atoi(argument[1])) : 24;
    sockaddr_in address{};
    int door = open_door(address);
    pid_t child = fork();
    if (child == 0) answer_questions(door);
    close(door);
    uint64_t sum = 0;
    {
        Timetable timetable(address);
        for (const Crossing &one : plan(timetable, crossings)) sum = sum * 31 + one.departure + one.cost + one.port;
    }
    waitpid(child, nullptr, 0);
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
