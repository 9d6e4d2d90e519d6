import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A stone merchant bills the orders of the month; what stones cost is known to the quarry's price keeper only. */
final class Main {
    /** The price keeper: answers a line of stones with a line of prices. */
    static final class Keeper implements Runnable {
        private final ServerSocket gate;

        Keeper(ServerSocket gate) {
            this.gate = gate;
        }

        @Override
        public void run() {
            try (Socket guest = gate.accept()) {
                guest.setTcpNoDelay(true);
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(guest.getInputStream(), StandardCharsets.US_ASCII));
                OutputStream out = guest.getOutputStream();
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    StringBuilder answer = new StringBuilder();
                    LockSupport.parkNanos(60_000);
                    for (String stone : line.split(" ")) {
                        answer.append(1000 + (stone.hashCode() & 0xfff)).append(' ');
                    }
                    out.write(answer.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException gone) {
                System.err.println("keeper: " + gone);
            }
        }
    }

    /** What is known of prices here; the rest is asked for. */
    static final class Prices implements AutoCloseable {
        private static final int AT_ONCE = 500;
        private final Map<String, BigDecimal> known = new HashMap<>();
        private final Socket socket;
        private final BufferedReader in;

        Prices(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        private void learn(List<String> stones) {
            try {
                String line = String.join(" ", stones) + "\n";
                socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                String[] answer = in.readLine().split(" ");
                for (int at = 0; at < answer.length; at++) {
                    known.put(stones.get(at), new BigDecimal(answer[at]).movePointLeft(2));
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        void prepare(Collection<String> stones) {
            List<String> missing = new ArrayList<>();
            for (String stone : stones) {
                if (!known.containsKey(stone)) {
                    missing.add(stone);
                }
                if (missing.size() == AT_ONCE) {
                    learn(missing);
                    missing.clear();
                }
            }
            if (!missing.isEmpty()) {
                learn(missing);
            }
        }

        BigDecimal of(String stone) {
            BigDecimal price = known.get(stone);
            if (price == null) {
                learn(List.of(stone));
                price = known.get(stone);
            }
            return price;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** So many of one stone. */
    record Position(String stone, int pieces) {
    }

    /** What one mason wants. */
    record Order(int number, String mason, List<Position> positions) {
    }

    /** Writes the bills. */
    static final class Billing {
        private static final BigDecimal TAX = new BigDecimal("1.19");
        private final Prices prices;

        Billing(Prices prices) {
            this.prices = prices;
        }

        private BigDecimal bill(Order order) {
            BigDecimal net = order.positions().stream()
                    .map(position -> prices.of(position.stone()).multiply(BigDecimal.valueOf(position.pieces())))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            return net.multiply(TAX).setScale(2, RoundingMode.HALF_EVEN);
        }

        Map<String, BigDecimal> month(List<Order> orders) {
            Map<String, BigDecimal> owed = new TreeMap<>();
            prices.prepare(orders.stream().flatMap(order -> order.positions().stream())
                    .map(Position::stone).collect(Collectors.toCollection(LinkedHashSet::new)));
            for (Order order : orders) {
                owed.merge(order.mason(), bill(order), BigDecimal::add);
            }
            return owed;
        }
    }

    private static List<Order> orders(int count) {
        List<Order> orders = new ArrayList<>(count);
        int state = 77003;
        for (int number = 0; number < count; number++) {
            List<Position> positions = new ArrayList<>();
            for (int at = 0; at < 30; at++) {
                state = state * 1664525 + 1013904223;
                positions.add(new Position("st" + number + "-" + at + "-" + (state >>> 24), 1 + (state >>> 12) % 20));
            }
            orders.add(new Order(number, "mason " + number % 90, positions));
        }
        return orders;
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        List<Order> orders = orders(count);
        try (ServerSocket gate = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread keeper = new Thread(new Keeper(gate), "keeper");
            keeper.start();
            try (Prices prices = new Prices(gate.getLocalPort())) {
                prices.prepare(List.of("granite", "basalt", "pumice"));
                Map<String, BigDecimal> owed = new Billing(prices).month(orders);
                BigDecimal sum = owed.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
                System.out.println("masons " + owed.size() + " sum " + sum + " last " + owed.get("mason 7"));
            }
            keeper.join();
        }
    }
}
