// Bakes batches of bricks on a pool of workers, each with its own queue.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Job {
    uint32_t batch;
    uint32_t number;
};

struct Worker {
    std::mutex mutex;
    std::condition_variable ready;
    std::deque<Job> jobs;
    bool closing = false;
    uint64_t sum = 0;
    std::thread thread;
};

static uint64_t bake(const Job &job) {
    std::vector<uint32_t> heat(512, job.number + 1);
    uint64_t sum = job.batch;
    for (int minute = 0; minute < 900; minute++) {
        for (size_t i = 1; i + 1 < heat.size(); i++) heat[i] = (heat[i - 1] + heat[i] * 2 + heat[i + 1] + i) / 4;
        sum += heat[static_cast<size_t>(minute) % heat.size()];
    }
    return sum * 2654435761u;
}

class Works {
  public:
    explicit Works(size_t size) {
        for (size_t i = 0; i < size; i++) {
            workers_.push_back(std::make_unique<Worker>());
            Worker &worker = *workers_.back();
            worker.thread = std::thread([&worker] { run(worker); });
        }
    }

    void submit(Job job) {
        Worker &worker = *workers_[queue_of(job)];
        {
            std::lock_guard<std::mutex> guard(worker.mutex);
            worker.jobs.push_back(job);
        }
        worker.ready.notify_one();
    }

    uint64_t finish() {
        uint64_t sum = 0;
        for (auto &worker : workers_) {
            {
                std::lock_guard<std::mutex> guard(worker->mutex);
                worker->closing = true;
            }
            worker->ready.notify_one();
        }
        for (auto &worker : workers_) {
            worker->thread.join();
            sum += worker->sum;
        }
        return sum;
    }

  private:
    size_t queue_of(const Job &job) const {
        return job.number % workers_.size();
    }

    static void run(Worker &worker) {
        for (;;) {
            std::unique_lock<std::mutex> guard(worker.mutex);
            worker.ready.wait(guard, [&] { return worker.closing || !worker.jobs.empty(); });
            if (worker.jobs.empty()) return;
            Job job = worker.jobs.front();
            worker.jobs.pop_front();
            guard.unlock();
            worker.sum += bake(job);
        }
    }

    std::vector<std::unique_ptr<Worker>> workers_;
};

static void order(Works &works, uint32_t bricks) {
    for (uint32_t number = 0; number < bricks; number++) works.submit({2024, number});
}

int main(int count, char **argument) {
    uint32_t bricks = count > 1 ? static_cast<uint32_t>(std::atoi(argument[1])) : 2200;
    Works works(4);
    order(works, bricks);
    std::printf("%016llx\n", static_cast<unsigned long long>(works.finish()));
    return 0;
}
