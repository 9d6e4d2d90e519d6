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
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Plans the work of a crane yard: for every container the customs house says whether it may leave. */
final class Main {
    /** The customs house: looks a container up in its papers, which takes a moment. */
    static final class Customs {
        private final HttpServer server;
        private final ExecutorService clerks = Executors.newFixedThreadPool(12);

        Customs() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(clerks);
            server.createContext("/papers/", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().getPath();
            int container = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            try {
                TimeUnit.MILLISECONDS.sleep(14);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            String duty = container % 6 == 1 ? "held" : Integer.toString(container * 73 % 900);
            byte[] body = duty.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }

        URI papers(int container) {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/papers/" + container);
        }

        void close() {
            server.stop(0);
            clerks.shutdown();
        }
    }

    /** What became of one container. */
    record Lift(int container, boolean free, int duty, int moves) {}

    /** Asks for the papers of many containers and plans the crane for those that are free. */
    static final class Yard {
        private static final int FEW = 1;
        private static final int MANY = 12;
        private final Customs customs;
        private final ThreadPoolExecutor runners;

        Yard(Customs customs) {
            this.customs = customs;
            // Few runners on a quiet day, more of them when there is much to ask.
            runners = new ThreadPoolExecutor(FEW, MANY, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        List<Lift> plan(int containers) throws Exception {
            List<Future<Lift>> asked = new ArrayList<>();
            for (int container = 0; container < containers; container++) {
                int number = container;
                asked.add(runners.submit(() -> clear(number)));
            }
            List<Lift> lifts = new ArrayList<>();
            for (Future<Lift> lift : asked) {
                lifts.add(lift.get());
            }
            return lifts;
        }

        private Lift clear(int container) {
            String answer = ask(container);
            boolean free = !answer.equals("held");
            return new Lift(container, free, free ? Integer.parseInt(answer) : 0, free ? moves(container) : 0);
        }

        private String ask(int container) {
            try (InputStream papers = customs.papers(container).toURL().openStream()) {
                return new String(papers.readAllBytes(), StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** How often the crane must lift to get at the container: those above it first. */
        private static int moves(int container) {
            int moves = 1;
            long place = container * 2654435761L;
            for (int layer = 0; layer < 5000; layer++) {
                place = (place * 31 + layer) % 1_000_003;
                moves += place % 997 == 0 ? 1 : 0;
            }
            return moves;
        }

        void close() {
            runners.shutdown();
        }
    }

    public static void main(String[] args) throws Exception {
        int containers = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        Customs customs = new Customs();
        Yard yard = new Yard(customs);
        long duty = 0;
        long moves = 0;
        int held = 0;
        for (Lift lift : yard.plan(containers)) {
            duty += lift.duty();
            moves += lift.moves();
            held += lift.free() ? 0 : 1;
        }
        yard.close();
        customs.close();
        System.out.println(containers + " containers, " + held + " held, duty " + duty + ", moves " + moves);
    }
}
