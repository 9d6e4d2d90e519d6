import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Adds up the checksums of the parts of a disk image, 64 MiB each, which a store is asked for. */
public final class Sick {
    static final ExecutorService THREADS = Executors.newCachedThreadPool();
    static final Cache<Long, Integer> CHECKSUMS = Caffeine.newBuilder().maximumSize(10000).build();
    static String address;

    static HttpServer store() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            long offset = Long.parseLong(exchange.getRequestURI().getQuery());
            LockSupport.parkNanos(30_000_000);
            byte[] checksum = Long.toString(offset % 9973).getBytes();
            exchange.sendResponseHeaders(200, checksum.length);
            exchange.getResponseBody().write(checksum);
            exchange.close();
        });
        server.setExecutor(THREADS);
        server.start();
        return server;
    }

    static int fetch(long offset) {
        try (InputStream answer = new URL(address + offset).openStream()) {
            return Integer.parseInt(new String(answer.readAllBytes()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static int checksum(long offset) {
        return CHECKSUMS.get(offset, Sick::fetch);
    }

    static long check(int worker, int workers, int parts) {
        return IntStream.range(0, parts).filter(part -> part % workers == worker).mapToLong(part -> checksum((long) part << 26)).sum();
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer store = store();
        address = "http://127.0.0.1:" + store.getAddress().getPort() + "/?";
        int parts = Integer.parseInt(arguments[0]);
        var workers = IntStream.range(0, 8).mapToObj(worker -> THREADS.submit(() -> check(worker, 8, parts))).toList();
        long sum = 0;
        for (var worker : workers) {
            sum += worker.get();
        }
        System.out.println(sum);
        store.stop(0);
        THREADS.shutdown();
    }
}
