import com.sun.net.httpserver.HttpServer;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Asks a timetable for the free seats of many ferries. */
public final class Sick {
    static HttpServer timetable(ExecutorService workers) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            int ferry = Integer.parseInt(exchange.getRequestURI().getQuery());
            try {
                Thread.sleep(12);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            byte[] seats = Integer.toString(ferry * 31 % 240).getBytes();
            exchange.sendResponseHeaders(200, seats.length);
            exchange.getResponseBody().write(seats);
            exchange.close();
        });
        server.setExecutor(workers);
        server.start();
        return server;
    }

    static int seats(String address, int ferry) throws IOException {
        try (InputStream answer = new URL(address + ferry).openStream()) {
            return Integer.parseInt(new String(answer.readAllBytes()));
        }
    }

    static int free(String address, int ferries) {
        return Flowable.range(0, ferries)
                .flatMap(ferry -> Flowable.fromCallable(() -> seats(address, ferry)), 16)
                .reduce(0, Integer::sum)
                .blockingGet();
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ExecutorService workers = Executors.newCachedThreadPool();
        HttpServer timetable = timetable(workers);
        String address = "http://127.0.0.1:" + timetable.getAddress().getPort() + "/?";
        System.out.println(free(address, Integer.parseInt(arguments[0])));
        timetable.stop(0);
        workers.shutdown();
    }
}
