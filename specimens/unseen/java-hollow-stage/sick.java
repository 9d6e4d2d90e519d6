import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** Prints the playbills of a theatre: each is put together from what six departments know about the evening. */
final class Main {
    private static final List<String> DEPARTMENTS =
            List.of("cast", "music", "props", "lights", "tickets", "weather");

    /** The house: all departments behind one door. */
    static final class House implements AutoCloseable {
        private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final ExecutorService rooms = Executors.newCachedThreadPool(House::porter);

        House() throws IOException {
            Thread porter = porter(this::open);
            porter.setName("porter");
            porter.start();
        }

        private static Thread porter(Runnable task) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }

        private void open() {
            try {
                while (true) {
                    Socket guest = door.accept();
                    guest.setTcpNoDelay(true);
                    rooms.execute(() -> serve(guest));
                }
            } catch (IOException closed) {
                rooms.shutdown();
            }
        }

        private void serve(Socket guest) {
            try (guest; BufferedReader in = new BufferedReader(
                    new InputStreamReader(guest.getInputStream(), StandardCharsets.UTF_8))) {
                OutputStream out = guest.getOutputStream();
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    Thread.sleep(5);
                    int known = line.hashCode() * 31 & 0xffff;
                    out.write((line + "=" + known + "\n").getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException | InterruptedException gone) {
                Thread.currentThread().interrupt();
            }
        }

        int port() {
            return door.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }

    /** One open line to the house. */
    static final class Line implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Line(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        String ask(String question) throws IOException {
            socket.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
            return in.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A fact for the playbill. */
    record Fact(String department, String text) {
        int weight() {
            return Integer.parseInt(text.substring(text.indexOf('=') + 1));
        }
    }

    /** Puts the playbills together. */
    static final class Printer implements AutoCloseable {
        private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
        private final ExecutorService runners = Executors.newFixedThreadPool(DEPARTMENTS.size());

        Printer(int port) throws IOException {
            for (int line = 0; line < DEPARTMENTS.size(); line++) {
                lines.add(new Line(port));
            }
        }

        private Fact ask(String department, int evening) {
            try {
                Line line = lines.take();
                try {
                    return new Fact(department, line.ask(department + "/" + evening));
                } finally {
                    lines.add(line);
                }
            } catch (IOException | InterruptedException broken) {
                throw new CompletionException(broken);
            }
        }

        List<Fact> facts(int evening) {
            return DEPARTMENTS.stream()
                    .map(department -> CompletableFuture.supplyAsync(() -> ask(department, evening), runners))
                    .map(CompletableFuture::join)
                    .collect(Collectors.toList());
        }

        String playbill(int evening) {
            StringBuilder bill = new StringBuilder("evening ").append(evening).append('\n');
            int weight = 0;
            for (Fact fact : facts(evening)) {
                bill.append(String.format("%-10s %s%n", fact.department(), fact.text()));
                weight += fact.weight();
            }
            return bill.append("weight ").append(weight).append('\n').toString();
        }

        @Override
        public void close() throws IOException {
            runners.shutdown();
            for (Line line : lines) {
                line.close();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int evenings = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        List<String> bills = new ArrayList<>();
        try (House house = new House(); Printer printer = new Printer(house.port())) {
            for (int evening = 1; evening <= evenings; evening++) {
                bills.add(printer.playbill(evening));
            }
        }
        int letters = bills.stream().mapToInt(String::length).sum();
        System.out.println("bills " + bills.size() + " letters " + letters + " " + Integer.toHexString(bills.hashCode()));
    }
}
