import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The shelves of a post office, each behind an address of one small server. */
final class ShelfServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService pool = Executors.newFixedThreadPool(12);

    ShelfServer() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(pool);
        server.createContext("/shelf", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getQuery().split("&");
        int shelf = Integer.parseInt(parts[0].substring(2));
        int street = Integer.parseInt(parts[1].substring(2));
        try {
            Thread.sleep(10 + shelf % 3);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        byte[] text = Integer.toString((shelf * 7919 + street * 104729) % 500).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
    }
}

/** One shelf as the search sees it. */
final class Shelf {
    private final int port;
    private final int number;

    Shelf(int port, int number) {
        this.port = port;
        this.number = number;
    }

    int count(int street) throws IOException {
        URL address = new URL("http://127.0.0.1:" + port + "/shelf?n=" + number + "&s=" + street);
        HttpURLConnection connection = (HttpURLConnection) address.openConnection();
        try (InputStream body = connection.getInputStream()) {
            return Integer.parseInt(new String(body.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }
}

/** Asks all shelves for the letters of a street. */
final class Search {
    private final List<Shelf> shelves;
    private final ExecutorService pool;

    Search(List<Shelf> shelves, ExecutorService pool) {
        this.shelves = shelves;
        this.pool = pool;
    }

    private List<Integer> gather(int street) throws InterruptedException, ExecutionException {
        List<Integer> counts = new ArrayList<>();
        for (Shelf shelf : shelves) {
            Future<Integer> count = pool.submit(() -> shelf.count(street));
            counts.add(count.get());
        }
        return counts;
    }

    long answer(int street) throws InterruptedException, ExecutionException {
        long total = 0;
        for (int count : gather(street)) {
            total += stamp(count);
        }
        return total;
    }

    private static long stamp(int count) {
        long value = count;
        for (int turn = 0; turn < 20000; turn++) {
            value = (value ^ (value >>> 13)) * 0x5bd1e995L + turn;
        }
        return value & 0xffff;
    }
}

final class Main {
    public static void main(String[] args) throws Exception {
        int streets = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        ExecutorService pool = Executors.newFixedThreadPool(12);
        try (ShelfServer server = new ShelfServer()) {
            List<Shelf> shelves = new ArrayList<>();
            for (int number = 0; number < 12; number++) {
                shelves.add(new Shelf(server.port(), number));
            }
            Search search = new Search(shelves, pool);
            long total = 0;
            for (int street = 0; street < streets; street++) {
                total = total * 31 + search.answer(street);
            }
            System.out.println(streets + " streets, total " + total);
        } finally {
            pool.shutdown();
        }
        System.exit(0);
    }
}
