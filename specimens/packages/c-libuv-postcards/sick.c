/* Has the postcards of a museum described by the catalogue, each by a job of its own. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

struct card {
    uv_work_t job;
    int number;
    int words;
};

static struct sockaddr_in catalogue;
static long described;

static void *answer(void *argument)
{
    int line = (int)(long)argument;
    int number;
    if (read(line, &number, sizeof number) == sizeof number) {
        usleep(90000);
        int words = 20 + number * 37 % 101;
        if (write(line, &words, sizeof words) < 0) {
            perror("answer");
        }
    }
    close(line);
    return NULL;
}

static void *serve(void *argument)
{
    int server = (int)(long)argument;
    for (;;) {
        int line = accept(server, NULL, NULL);
        if (line < 0) {
            return NULL;
        }
        pthread_t clerk;
        pthread_create(&clerk, NULL, answer, (void *)(long)line);
        pthread_detach(clerk);
    }
}

static void open_catalogue(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    catalogue.sin_family = AF_INET;
    catalogue.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof catalogue;
    if (bind(server, (struct sockaddr *)&catalogue, size) || listen(server, 128)
        || getsockname(server, (struct sockaddr *)&catalogue, &size)) {
        perror("catalogue");
        exit(1);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, serve, (void *)(long)server);
    pthread_detach(thread);
}

static void describe(uv_work_t *job)
{
    struct card *card = job->data;
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&catalogue, sizeof catalogue) || write(line, &card->number, sizeof card->number) < 0
        || read(line, &card->words, sizeof card->words) != sizeof card->words) {
        perror("describe");
    }
    close(line);
}

static void file_card(uv_work_t *job, int status)
{
    struct card *card = job->data;
    if (status == 0) {
        described += card->words * (card->number % 7 + 1);
    }
}

static void submit(uv_loop_t *loop, struct card *cards, int count)
{
    for (int at = 0; at < count; at++) {
        cards[at].number = at;
        cards[at].job.data = &cards[at];
        uv_queue_work(loop, &cards[at].job, describe, file_card);
    }
}

int main(int count, char **words)
{
    int cards = count > 1 ? atoi(words[1]) : 10;
    struct card *box = calloc((size_t)cards, sizeof *box);
    open_catalogue();
    submit(uv_default_loop(), box, cards);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    printf("%d cards, check %ld\n", cards, described);
    free(box);
    return 0;
}
