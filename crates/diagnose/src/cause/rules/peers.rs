//! Causes that lie in waiting for peers.

use model::worklist::Effort;

use super::super::statements::MOSTLY;
use super::super::{Cause, Condition, Kind, Page};
use super::{WORTH, at_least, at_most, no, yes};

const WAITS: Condition = yes("wait.peer", "profile", "it waits for a peer");

/// Whoever waits with a lock in its hands makes others wait: the lock is the cause.
const HOLDS: Condition =
    at_least("wait.holding", 0.5, "holder", "others wait for a lock that it holds meanwhile");

/// A page that is asked for with the cursor of the page before cannot be asked for sooner.
const CHAINED: Condition = yes("source.chained", "source", "each request needs the answer to the one before");

/// A local network answers within a millisecond; an answer that takes this long is computed or waited for.
pub(in crate::cause) const LONG_ANSWER: f64 = 0.03;

/// So many answers, however long each takes, are asked for one by one.
pub(in crate::cause) const MANY_ANSWERS: f64 = 50.0;

/// Requests one after the other are under way for the length of the run at most; from here on they overlap.
const OVERLAP: f64 = 1.5;

/// Fewer than this may be meant one by one.
const SEVERAL: f64 = 5.0;

/// What searches long for each of some hundred pages is not mended by asking once for all of them.
const LONG_STATEMENTS: Condition =
    at_least("query.long", MOSTLY, "runtime", "most of its time goes into statements that each take long");

/// Less may be what a few requests on the way cost.
const STALLS: Condition = at_least(
    "peer.stalled",
    0.3,
    "tracer",
    "{stalls} answers came 40 ms late, after a request in pieces: the last piece waits for an acknowledgement",
);

pub(super) static N_PLUS_ONE: Cause = Cause {
    id: "n-plus-one",
    class: "I/O-DB",
    title: "a query sent for each row",
    kinds: &[Kind::Computing, Kind::Waiting],
    // Walking over the rows of one query is a loop too; only its share tells it apart.
    gates: &[
        at_least("wall", 0.25, "profile", "it takes a quarter of wall time"),
        yes("database", "profile", "it works on a database"),
    ],
    supports: &[
        yes("source.query", "source", "the query stands in a loop"),
        at_least("peer.alike", 0.6, "tracer", "most requests differ in their values only"),
        at_least("leaf.database", 0.4, "profile", "its time is spent in the database library"),
    ],
    rejects: &[
        no("source.query", "source", "no query stands in a loop there"),
        yes("source.commit", "source", "it commits in the loop, which costs more"),
        // A short query costs as much to prepare as to answer; where all is finding rows, each query is long.
        at_least("database.long", 0.93, "profile", "the library searches long for each query"),
        LONG_STATEMENTS,
    ],
    part: None,
    special: 8,
    fixes: &[
        ("", "{place}: fetch all rows with one query (JOIN, `IN (…)`, batch) before the loop"),
        (
            "python",
            "{place}: fetch all rows with one query before the loop (JOIN, `= ANY(%s)`, `executemany`; `select_related`/`prefetch_related` in Django, `selectinload` in SQLAlchemy)",
        ),
        (
            "javascript",
            "{place}: fetch all rows with one query before the loop (`WHERE id = ANY($1)`, `IN (?)`; `include` of the ORM, a DataLoader)",
        ),
        (
            "java",
            "{place}: fetch all rows with one query before the loop (`JOIN FETCH`, `@EntityGraph`, `IN (…)`, `addBatch`)",
        ),
        (
            "go",
            "{place}: fetch all rows with one query before the loop (`WHERE id = ANY($1)`, `sqlx.In`, `Preload` of GORM, `pgx.Batch`)",
        ),
        (
            "rust",
            "{place}: fetch all rows with one query before the loop (`WHERE id = ANY($1)`; `belonging_to` and `load` in Diesel)",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "A list is fetched, then one more query for each of its rows: as many round trips as rows.",
        by_hand: "Count statements for one request in the database's log; they differ in one value.",
        confused: "slow-query (few statements, each long).",
    },
};

pub(super) static SLOW_QUERY: Cause = Cause {
    id: "slow-query",
    class: "I/O-DB",
    title: "queries that take long",
    kinds: &[Kind::Computing, Kind::Waiting],
    gates: &[
        at_least("wall", 0.1, "profile", "it takes a share of wall time that matters"),
        yes("database", "profile", "it works on a database"),
    ],
    supports: &[
        at_least(
            "leaf.database",
            0.93,
            "profile",
            "nearly all of its time is spent inside the database library",
        ),
        LONG_STATEMENTS,
    ],
    rejects: &[
        at_most("database.step", 0.85, "profile", "much of the library's time is preparing, not finding"),
        at_most("database.brief", 0.9, "profile", "the library works shortly for each query"),
        yes("source.commit", "source", "it commits in the loop, which costs more"),
    ],
    part: None,
    special: 7,
    fixes: &[
        (
            "",
            "{place}: `EXPLAIN` the statement; an index on the columns it filters and joins by; pages that go on behind the last key instead of `OFFSET`",
        ),
        (
            "python",
            "{place}: `EXPLAIN` the statement (`QuerySet.explain()` in Django); an index on the columns it filters and joins by (`db_index`, `Index(…)`); pages that go on behind the last key instead of `OFFSET`",
        ),
        (
            "java",
            "{place}: `EXPLAIN` the statement (`hibernate.show_sql` prints it); an index on the columns it filters and joins by (`@Index`); pages that go on behind the last key instead of `setFirstResult`",
        ),
        (
            "javascript",
            "{place}: `EXPLAIN` the statement (the ORM's query log has it); an index on the columns it filters and joins by; pages that go on behind the last key instead of `OFFSET`/`skip`",
        ),
        (
            "database",
            "{place}: `EXPLAIN` {query}; an index on the columns it filters and joins by; pages that go on behind the last key instead of `OFFSET`",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "The database goes through whole tables because no index helps, or over all earlier rows to give a later page.",
        by_hand: "`EXPLAIN (ANALYZE)`, `EXPLAIN QUERY PLAN`: a scan of a large table.",
        confused: "n-plus-one (many short statements).",
    },
};

pub(super) static CONNECTION_PER_REQUEST: Cause = Cause {
    id: "connection-per-request",
    class: "I/O-Network",
    title: "a new connection for each request",
    kinds: &[Kind::Waiting, Kind::Computing],
    gates: &[WORTH, yes("peer.asking", "profile", "it makes connections, or waits for answers")],
    supports: &[
        // Kept connections serve many requests; a greeting and a proof make three of one.
        at_least("peer.connections", 0.3, "tracer", "it connects again for each few requests"),
        yes("source.connect", "source", "the source connects inside the loop"),
    ],
    rejects: &[
        // However many requests there are, and where nobody can read them.
        at_most("peer.connected", SEVERAL - 1.0, "tracer", "it makes a few connections only"),
        at_most("peer.connections", 0.2, "tracer", "connections are used again"),
        at_most("count", SEVERAL - 1.0, "profile", "it asks a few times only"),
        // Making a connection on one machine takes a tenth of a millisecond; where answers take much longer, keeping it saves nothing.
        at_least("connected.mean", 0.02, "profile", "each answer takes much longer than a connection"),
        // Of several peers, a tenth at most is saved; asking them all at once saves more than half.
        at_least(
            "peers.answer",
            10.0,
            "tracer",
            "it asks several peers in turn, and each answer takes much longer than a connection",
        ),
        yes("loop.blocked", "profile", "its event loop stands still for the answers"),
    ],
    part: None,
    special: 6,
    fixes: &[
        ("", "{place}: keep the connection open and send all requests over it"),
        ("http python", "{place}: one `requests.Session`/`http.client` connection outside the loop"),
        (
            "http javascript",
            "{place}: one `http.Agent` with `keepAlive: true`, or one client or pool outside the loop",
        ),
        (
            "http java",
            "{place}: one `HttpClient` or connection pool for all requests; read each answer to its end",
        ),
        ("http go", "{place}: one `http.Client` for all requests; read each body to its end and close it"),
        ("http rust", "{place}: one `reqwest::Client` (or pool) outside the loop"),
        (
            "database",
            "{place}: one connection of the driver for all statements, or a pool of them, made before the loop",
        ),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Each request pays for a handshake (and TLS) before it can be sent.",
        by_hand: "`ss -s` while it runs, or `strace -c -e connect`.",
        confused: "slow-peer, serial-calls.",
    },
};

pub(super) static SERIAL_FAN_OUT: Cause = Cause {
    id: "serial-fan-out",
    class: "Architecture",
    title: "independent answers awaited one after the other",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, WAITS, at_least("count", 3.0, "profile", "it waits several times")],
    supports: &[
        at_least("peers", 2.0, "profile", "it waits for different peers in turn"),
        yes("source.await", "source", "it awaits inside a loop"),
        yes("task.awaited", "profile", "a loop awaits the tasks that ask, one by one"),
        yes(
            "loop.blocked",
            "profile",
            "its event loop stands still meanwhile, so that all tasks wait for each other",
        ),
        yes("peer.single", "tracer", "one connection takes all requests, one after the other"),
        at_least("peer.queue", 2.0, "profile", "most of those who want to ask wait until they may"),
        at_least(
            "pool.rounds",
            3.0,
            "profile",
            "a pool made for computing waits for peers with all of its {threads} threads, and the rest stands in line",
        ),
    ],
    rejects: &[
        HOLDS,
        at_least("peer.overlap", OVERLAP, "tracer", "several answers are awaited at once"),
        yes("source.gathers", "source", "several answers are awaited at once there"),
        yes("peer.pipelines", "tracer", "the peer takes many commands in one message"),
        CHAINED,
    ],
    part: None,
    special: 5,
    fixes: &[
        ("", "{place}: send all requests first, then collect the answers"),
        ("python", "{place}: `asyncio.gather` or a thread pool"),
        (
            "blocked python",
            "{place} stops its event loop while it waits: `await asyncio.to_thread(...)`, or an asynchronous client",
        ),
        ("javascript", "{place}: `await Promise.all(...)` instead of `await` in the loop"),
        ("java", "{place}: `CompletableFuture.allOf`"),
        ("go", "{place}: a goroutine for each, `errgroup`"),
        (
            "pool",
            "{place} runs on {threads} threads of a pool that has as many for computing: give it a pool of its own with as many threads as may wait at once, or a larger one (`UV_THREADPOOL_SIZE`, `ThreadPoolBuilder::num_threads`, an executor), or ask without blocking",
        ),
        (
            "queue",
            "{place}: most of its threads wait for a connection that others have: let the pool have as many as there are threads (`setMaxConnPerRoute`, `pool_maxsize`, `max`)",
        ),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Requests that do not need each other's answers wait for each other.",
        by_hand: "The timeline: waits for different peers back to back, never at once.",
        confused: "serial-calls (one peer), n-plus-one (a database).",
    },
};

pub(super) static SERIAL_CALLS: Cause = Cause {
    id: "serial-calls",
    class: "I/O-Network",
    title: "one request after the other",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, WAITS, at_least("count", SEVERAL, "profile", "it asks again and again")],
    supports: &[
        at_least("count", SEVERAL, "profile", "it waits {count} times for what the peer sends"),
        // That the requests do not need each other's answers is seen by nobody, so this is no second witness.
        yes("source.request", "profile", "the request stands in a loop"),
    ],
    rejects: &[
        STALLS,
        HOLDS,
        yes("answers.long", "profile", "a few answers take long each"),
        at_least("longest", 0.6, "profile", "one wait is most of it"),
        yes("source.await", "source", "the loop awaits, so all could be awaited at once"),
        at_least("peer.overlap", OVERLAP, "tracer", "several answers are awaited at once"),
    ],
    part: None,
    special: 3,
    fixes: &[
        ("", "{place}: send several at once (a pool, pipelining), or ask for all with one request"),
        ("python", "{place}: `concurrent.futures.ThreadPoolExecutor.map`, or one request for all"),
        ("javascript", "{place}: `await Promise.all(...)`"),
        ("java", "{place}: `CompletableFuture.allOf`, virtual threads, or one request for all"),
        ("go", "{place}: a goroutine for each (`errgroup` with a limit), or one request for all"),
        ("rust", "{place}: `futures::stream::iter(…).buffer_unordered(n)`, or one request for all"),
    ],
    effort: Effort::Hours,
    next: None,
    page: Page {
        what: "Each request waits for the answer to the one before, though it does not need it.",
        by_hand: "Requests times the latency of one is the wall time.",
        confused: "chatty-protocol (tiny answers at the speed of the network), slow-peer (few long answers).",
    },
};

pub(super) static CHATTY_PROTOCOL: Cause = Cause {
    id: "chatty-protocol",
    class: "I/O-Network",
    title: "many short exchanges where one would do",
    kinds: &[Kind::Waiting, Kind::Computing],
    gates: &[
        WORTH,
        // Less is what a program pays that does something with the answers.
        at_least("peer.time", 0.4, "profile", "its time is spent on exchanges with a peer"),
    ],
    supports: &[
        at_least("rate", 500.0, "profile", "hundreds of exchanges a second"),
        at_least("kernel.network", 0.4, "profile", "sending and receiving takes much of its time"),
        // That fewer would do is seen by nobody, so the tracer's count is no second witness.
        at_least("peer.requests", 200.0, "profile", "it sends hundreds of requests"),
        STALLS,
    ],
    rejects: &[
        HOLDS,
        yes("io.pieces", "tracer", "one message is moved in pieces"),
        at_least("peer.connections", 0.5, "tracer", "each exchange makes a connection of its own"),
        at_least("trip.mean", 0.002, "profile", "each answer takes longer than a round trip"),
        at_most("trip.count", 200.0, "profile", "it waits a few times only"),
    ],
    part: None,
    special: 4,
    fixes: &[
        ("", "{place}: put many requests into one message (batch, pipeline)"),
        (
            "python",
            "{place}: put many requests into one message (`pipeline()` of redis, `executemany`, a bulk call of the service)",
        ),
        (
            "javascript",
            "{place}: put many requests into one message (`multi()`/`pipeline()` of the client, a bulk call of the service)",
        ),
        (
            "java",
            "{place}: put many requests into one message (`Pipeline` of Jedis, `addBatch`, a bulk call of the service)",
        ),
        (
            "go",
            "{place}: put many requests into one message (`Pipelined` of the client, `pgx.Batch`, a bulk call)",
        ),
        (
            "stall",
            "{place} sends a request in pieces, and the last one is held back until the first is acknowledged, 40 ms each time: write it as a whole (`writev`, one buffer), or set `TCP_NODELAY`",
        ),
    ],
    effort: Effort::Days,
    next: None,
    page: Page {
        what: "The peer answers at once, but there are so many exchanges that the round trips add up.",
        by_hand: "Round trips × round-trip time is the waiting time.",
        confused: "serial-calls (the peer takes its time).",
    },
};

pub(super) static SLOW_PEER: Cause = Cause {
    id: "slow-peer",
    class: "I/O-Network",
    title: "a peer that takes long to answer",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, WAITS],
    supports: &[
        // Local networks answer within a millisecond.
        at_least("mean", LONG_ANSWER, "profile", "an answer takes long"),
        at_least("longest", 0.5, "profile", "one answer is most of the waiting"),
        CHAINED,
    ],
    rejects: &[STALLS, HOLDS, at_least("answers", MANY_ANSWERS, "profile", "many answers, not long ones")],
    part: None,
    special: 4,
    fixes: &[
        (
            "",
            "{place} waits for {what}: look at the peer (`slowpath record --pid` there), ask for less, or keep its answers",
        ),
        (
            "python",
            "{place} waits for {what}: look at the peer (`slowpath record --pid` there), ask for less, or keep its answers (`functools.lru_cache`, `requests-cache`)",
        ),
        (
            "javascript",
            "{place} waits for {what}: look at the peer (`slowpath record --pid` there), ask for less, or keep its answers (a `Map` of promises)",
        ),
        (
            "java",
            "{place} waits for {what}: look at the peer (`slowpath record --pid` there), ask for less, or keep its answers (Caffeine, `ConcurrentHashMap.computeIfAbsent`)",
        ),
        (
            "go",
            "{place} waits for {what}: look at the peer (`slowpath record --pid` there), ask for less, or keep its answers (`singleflight`, a map with a lock)",
        ),
    ],
    effort: Effort::Days,
    next: None,
    page: Page {
        what: "The time is spent at the other end of a connection.",
        by_hand: "`curl -w '%{time_starttransfer}'`, or the peer's own log.",
        confused: "serial-calls, dns-stall.",
    },
};

pub(super) static DNS_STALL: Cause = Cause {
    id: "dns-stall",
    class: "I/O-Network",
    title: "waiting for a name to be resolved",
    kinds: &[Kind::Waiting],
    gates: &[WORTH, yes("wait.resolver", "profile", "it waits for a name server")],
    supports: &[yes("wait.resolver", "profile", "it waits for a name server")],
    rejects: &[HOLDS],
    part: None,
    special: 9,
    fixes: &[
        (
            "",
            "{place}: resolve once and keep the address; look at `/etc/resolv.conf` for servers that do not answer",
        ),
        (
            "javascript",
            "{place}: resolve once and keep the address (`lookup` of the agent, `cacheable-lookup`); look at `/etc/resolv.conf` for servers that do not answer",
        ),
        (
            "java",
            "{place}: resolve once and keep the address (`networkaddress.cache.ttl`); look at `/etc/resolv.conf` for servers that do not answer",
        ),
        (
            "go",
            "{place}: keep the connection, or resolve once and dial the address (`DialContext`); look at `/etc/resolv.conf` for servers that do not answer",
        ),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Resolving a name waits for servers that are slow or do not answer.",
        by_hand: "`getent hosts NAME` with a stopwatch.",
        confused: "slow-peer.",
    },
};
