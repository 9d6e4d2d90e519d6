import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Insurance quotes: several clerks quote at once; risk factors come from the underwriting service. */
class Main {

    /** The underwriting service, as it stands elsewhere in the house. */
    static final class Underwriting {
        private final ServerSocket door;

        Underwriting() throws IOException {
            door = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            start(this::greet, "underwriting-door");
        }

        int port() {
            return door.getLocalPort();
        }

        private static void start(Runnable body, String name) {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            thread.start();
        }

        private void greet() {
            try {
                while (true) {
                    Socket guest = door.accept();
                    start(() -> serve(guest), "underwriting-guest");
                }
            } catch (IOException closed) {
                // the house closes
            }
        }

        private void serve(Socket guest) {
            try (guest) {
                guest.setTcpNoDelay(true);
                BufferedReader in = new BufferedReader(new InputStreamReader(guest.getInputStream()));
                Writer out = new OutputStreamWriter(guest.getOutputStream());
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    Thread.sleep(4);
                    out.write((700 + Math.floorMod(line.hashCode(), 900)) + "\n");
                    out.flush();
                }
            } catch (IOException | InterruptedException gone) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Link implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;
        private final Writer out;

        Link(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            out = new OutputStreamWriter(socket.getOutputStream());
        }

        int ask(String region) throws IOException {
            out.write(region + "\n");
            out.flush();
            return Integer.parseInt(in.readLine());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static final class Factors {
        private final Map<String, Integer> known = new HashMap<>();
        private int loads;

        int factor(String region, Link link) throws IOException {
            Integer value;
            synchronized (known) {
                value = known.get(region);
            }
            if (value == null) {
                value = link.ask(region);
                synchronized (known) {
                    loads++;
                    known.put(region, value);
                }
            }
            return value;
        }

        int size() {
            synchronized (known) {
                return known.size();
            }
        }
    }

    static final class Clerk {
        private final int number;
        private final Factors factors;
        private final int port;

        Clerk(int number, Factors factors, int port) {
            this.number = number;
            this.factors = factors;
            this.port = port;
        }

        long work(int quotes) throws IOException {
            long sum = 0;
            try (Link link = new Link(port)) {
                for (int at = 0; at < quotes; at++) {
                    String region = "R" + number + "-" + (at * 7 % (quotes / 4));
                    sum += premium(20_000 + at * 131 % 9_000, factors.factor(region, link));
                }
            }
            return sum;
        }

        private long premium(int insured, int perMille) {
            double reserve = 0;
            for (int year = 1; year <= 400; year++) {
                reserve += insured * perMille / 1000.0 / Math.pow(1.015, year);
            }
            return Math.round(reserve);
        }
    }

    public static void main(String[] args) throws Exception {
        int quotes = Integer.parseInt(args[0]);
        int clerks = 8;
        Underwriting underwriting = new Underwriting();
        Factors factors = new Factors();
        ExecutorService desk = Executors.newFixedThreadPool(clerks);
        List<Future<Long>> results = new ArrayList<>();
        for (int number = 0; number < clerks; number++) {
            Clerk clerk = new Clerk(number, factors, underwriting.port());
            results.add(desk.submit(() -> clerk.work(quotes)));
        }
        long total = 0;
        for (Future<Long> result : results) {
            total += result.get();
        }
        desk.shutdown();
        System.out.println("quotes=" + quotes * clerks + " regions=" + factors.size() + " total=" + total);
    }
}
