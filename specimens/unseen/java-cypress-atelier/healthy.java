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
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Prices picture frames: each order is sent to the mill's price desk, several at a time. */
class Main {
    record Order(int id, int width, int height, String wood) {}

    record Quote(int id, long cents) {}

    /** The mill's desk: a line in, a line out, some milliseconds of thought between. */
    static class Desk implements AutoCloseable {
        private final ServerSocket socket;
        private final List<Thread> threads = new ArrayList<>();

        Desk() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread door = new Thread(this::accept, "door");
            door.setDaemon(true);
            door.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void accept() {
            try {
                while (true) {
                    Socket guest = socket.accept();
                    guest.setTcpNoDelay(true);
                    Thread thread = new Thread(() -> serve(guest), "desk");
                    thread.setDaemon(true);
                    thread.start();
                    threads.add(thread);
                }
            } catch (IOException closed) {
                // the desk is shut
            }
        }

        private void serve(Socket guest) {
            try (guest; BufferedReader in = reader(guest)) {
                OutputStream out = guest.getOutputStream();
                String line;
                while ((line = in.readLine()) != null) {
                    String[] part = line.split(" ");
                    Thread.sleep(6);
                    long price = 900 + Long.parseLong(part[0]) * Long.parseLong(part[1]) / 7 + part[2].length() * 130L;
                    out.write((price + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException | InterruptedException gone) {
                // the guest has left
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    static class Pricing implements AutoCloseable {
        private final int port;
        private final ThreadPoolExecutor pool;
        private final ThreadLocal<Socket> line = new ThreadLocal<>();
        private final ThreadLocal<BufferedReader> input = new ThreadLocal<>();
        private final AtomicLong asked = new AtomicLong();

        Pricing(int port) {
            this.port = port;
            this.pool = new ThreadPoolExecutor(8, 8, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        Quote price(Order order) throws IOException {
            if (line.get() == null) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setTcpNoDelay(true);
                line.set(socket);
                input.set(reader(socket));
            }
            String question = order.width() + " " + order.height() + " " + order.wood() + "\n";
            line.get().getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            asked.incrementAndGet();
            return new Quote(order.id(), Long.parseLong(input.get().readLine()));
        }

        List<Quote> all(List<Order> orders) throws Exception {
            List<Future<Quote>> pending = new ArrayList<>();
            for (Order order : orders) {
                pending.add(pool.submit(() -> price(order)));
            }
            List<Quote> quotes = new ArrayList<>();
            for (Future<Quote> one : pending) {
                quotes.add(one.get());
            }
            return quotes;
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }

    static List<Order> orders(int count) {
        String[] woods = {"oak", "walnut", "ash", "cherry", "limewood"};
        List<Order> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(new Order(i, 20 + i * 13 % 90, 15 + i * 29 % 110, woods[i * 7 % woods.length]));
        }
        return list;
    }

    static long seal(List<Quote> quotes) {
        long seal = 17;
        for (Quote quote : quotes) {
            seal = seal * 1000003 + quote.id() * 31L + quote.cents();
        }
        return seal;
    }

    public static void main(String[] args) throws Exception {
        try (Desk desk = new Desk(); Pricing pricing = new Pricing(desk.port())) {
            List<Quote> quotes = pricing.all(orders(Integer.parseInt(args[0])));
            long sum = quotes.stream().mapToLong(Quote::cents).sum();
            System.out.println(quotes.size() + " " + sum + " " + Long.toHexString(seal(quotes)));
        }
    }
}
