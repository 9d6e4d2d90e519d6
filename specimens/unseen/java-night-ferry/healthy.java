import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Plans crossings of a night ferry; the tides come from the harbour office. */
final class Main {
    /** The harbour office: asks its gauge, which takes a moment. */
    static final class Office {
        private final HttpServer server;
        private final ExecutorService desks = Executors.newFixedThreadPool(8);

        Office() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(desks);
            server.createContext("/tide/", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().getPath();
            int gauge = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            try {
                TimeUnit.MILLISECONDS.sleep(15);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = Integer.toString(gauge * 37 % 400).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }

        URI gauge(int number) {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/tide/" + number);
        }

        void close() {
            server.stop(0);
            desks.shutdown();
        }
    }

    /** Keeps the latest tides, the oldest fall out. */
    static final class Tides {
        private static final int ROOM = 200;
        private final Office office;
        private final Map<Integer, Integer> known = new LinkedHashMap<>(ROOM * 2, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
                return size() > ROOM;
            }
        };

        Tides(Office office) {
            this.office = office;
        }

        int at(int gauge) {
            Integer level;
            synchronized (known) {
                level = known.get(gauge);
            }
            if (level == null) {
                level = ask(gauge);
                synchronized (known) {
                    known.put(gauge, level);
                }
            }
            return level;
        }

        private int ask(int gauge) {
            try (InputStream answer = office.gauge(gauge).toURL().openStream()) {
                return Integer.parseInt(new String(answer.readAllBytes(), StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** One crossing: looks at the gauges on its way. */
    record Crossing(int number, Tides tides) implements Callable<Long> {
        @Override
        public Long call() {
            long depth = 0;
            for (int stop = 0; stop < 14; stop++) {
                int gauge = (number * 11 + stop) % 90;
                depth += drift(tides.at(gauge), stop);
            }
            return depth;
        }

        private static long drift(int level, int stop) {
            long value = level;
            for (int minute = 0; minute < 3000; minute++) {
                value = (value * 31 + stop) % 10007;
            }
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        int crossings = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        Office office = new Office();
        Tides tides = new Tides(office);
        ExecutorService bridge = Executors.newFixedThreadPool(8);
        List<Future<Long>> plans = new ArrayList<>();
        for (int number = 0; number < crossings; number++) {
            plans.add(bridge.submit(new Crossing(number, tides)));
        }
        long sum = 0;
        for (Future<Long> plan : plans) {
            sum += plan.get();
        }
        bridge.shutdown();
        office.close();
        System.out.println("crossings " + crossings + " depth " + sum);
    }
}
