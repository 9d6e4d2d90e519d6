/* Lists the books of a small library with their authors from an SQLite database in memory. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    uint64_t digest;
    uint32_t books;
};

static uint32_t seed = 9;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static void must(int status) {
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) exit(1);
}

static sqlite3 *open_library(uint32_t books) {
    sqlite3 *library;
    sqlite3_stmt *adding;
    must(sqlite3_open(":memory:", &library));
    must(sqlite3_exec(library, "create table author(id integer primary key, name text);"
                               "create table book(id integer primary key, author integer, title text); begin", NULL, NULL, NULL));
    must(sqlite3_prepare_v2(library, "insert into author(name) values (?)", -1, &adding, NULL));
    char text[64];
    for (uint32_t i = 0; i < books / 10; i++) {
        int length = snprintf(text, sizeof text, "author %u of %u", i, roll(1000));
        sqlite3_bind_text(adding, 1, text, length, SQLITE_TRANSIENT);
        must(sqlite3_step(adding));
        sqlite3_reset(adding);
    }
    sqlite3_finalize(adding);
    must(sqlite3_prepare_v2(library, "insert into book(author, title) values (?, ?)", -1, &adding, NULL));
    for (uint32_t i = 0; i < books; i++) {
        int length = snprintf(text, sizeof text, "the %u days of %u", roll(900), i);
        sqlite3_bind_int(adding, 1, (int)(1 + roll(books / 10)));
        sqlite3_bind_text(adding, 2, text, length, SQLITE_TRANSIENT);
        must(sqlite3_step(adding));
        sqlite3_reset(adding);
    }
    sqlite3_finalize(adding);
    must(sqlite3_exec(library, "commit", NULL, NULL, NULL));
    return library;
}

static void enter(struct list *list, const char *title, const char *author) {
    char line[160];
    int length = 0;
    for (int copy = 0; copy < 8; copy++) length = snprintf(line, sizeof line, "%-40s | %-30s | %d", title, author, copy);
    for (int i = 0; i < length; i++) list->digest = (list->digest ^ (uint8_t)line[i]) * 1099511628211ull;
    list->books++;
}

static void author_of(sqlite3 *library, int book_author, char *name, size_t room) {
    char question[96];
    sqlite3_stmt *asking;
    snprintf(question, sizeof question, "select name from author where id = %d", book_author);
    must(sqlite3_prepare_v2(library, question, -1, &asking, NULL));
    must(sqlite3_step(asking));
    snprintf(name, room, "%s", (const char *)sqlite3_column_text(asking, 0));
    sqlite3_finalize(asking);
}

static void list_books(sqlite3 *library, struct list *list) {
    sqlite3_stmt *asking;
    char author[64];
    must(sqlite3_prepare_v2(library, "select title, author from book order by id", -1, &asking, NULL));
    while (sqlite3_step(asking) == SQLITE_ROW) {
        author_of(library, sqlite3_column_int(asking, 1), author, sizeof author);
        enter(list, (const char *)sqlite3_column_text(asking, 0), author);
    }
    sqlite3_finalize(asking);
}

int main(int count, char **argument) {
    uint32_t books = count > 1 ? (uint32_t)atol(argument[1]) : 55000;
    sqlite3 *library = open_library(books);
    struct list list = {1469598103934665603ull, 0};
    for (int day = 0; day < 3; day++) list_books(library, &list);
    printf("%016llx %u\n", (unsigned long long)list.digest, list.books);
    sqlite3_close(library);
    return 0;
}
