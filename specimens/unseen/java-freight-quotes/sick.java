import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;

/** Quotes freight for a list of shipments; distances come from a geo service and are remembered. */
class Main {

    /** The geo service: answers "FROM TO" with a distance after the time its own look-up takes. */
    static final class GeoService extends Thread {
        final ServerSocket door;

        GeoService() throws IOException {
            super("geo-service");
            door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Socket guest = door.accept();
                    guest.setTcpNoDelay(true);
                    Thread desk = new Thread(() -> attend(guest), "geo-desk");
                    desk.setDaemon(true);
                    desk.start();
                }
            } catch (IOException closed) {
                // the end of the program closes the door
            }
        }

        private void attend(Socket guest) {
            try (guest;
                 BufferedReader in = new BufferedReader(new InputStreamReader(guest.getInputStream(), StandardCharsets.US_ASCII));
                 OutputStream out = guest.getOutputStream()) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    Thread.sleep(5);
                    int distance = 40 + (line.hashCode() & 0x7fffffff) % 1900;
                    out.write((distance + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException | InterruptedException gone) {
                // the guest has left
            }
        }
    }

    /** A connection to the geo service; each worker has its own. */
    static final class GeoClient {
        private final Socket socket;
        private final BufferedReader in;
        private final OutputStream out;

        GeoClient(int port) {
            try {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setTcpNoDelay(true);
                in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                out = socket.getOutputStream();
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }

        int distance(String from, String to) {
            try {
                out.write((from + " " + to + "\n").getBytes(StandardCharsets.US_ASCII));
                return Integer.parseInt(in.readLine());
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }
    }

    /** Distances that were asked for before. */
    static final class Distances {
        private final Map<String, Integer> known = new HashMap<>();
        private final ThreadLocal<GeoClient> client;

        Distances(int port) {
            client = ThreadLocal.withInitial(() -> new GeoClient(port));
        }

        int between(String from, String to) {
            String key = from + ">" + to;
            synchronized (known) {
                Integer distance = known.get(key);
                if (distance == null) {
                    distance = client.get().distance(from, to);
                    known.put(key, distance);
                }
                return distance;
            }
        }

        int size() {
            synchronized (known) {
                return known.size();
            }
        }
    }

    record Shipment(int id, String from, String to, int kilos, boolean express) {
    }

    static List<Shipment> shipments(int count) {
        String[] towns = {"AMS", "BER", "CPH", "DUB", "FRA", "GVA", "HAM", "LIS", "MAD", "NCE", "OSL", "PRG", "ROM", "STO",
            "VIE", "WAW", "ZRH", "BUD"};
        List<Shipment> found = new ArrayList<>();
        long state = 99;
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int a = (int) ((state >>> 33) % towns.length);
            int b = (int) ((state >>> 43) % towns.length);
            found.add(new Shipment(i, towns[a], towns[b], 1 + (int) ((state >>> 50) % 900), (state >>> 60) > 12));
        }
        return found;
    }

    static long price(Shipment shipment, int distance) {
        long cents = 450 + (long) distance * 3;
        int steps = (shipment.kilos() + 24) / 25;
        for (int step = 0; step < steps; step++) {
            cents += step < 10 ? 120 + distance / 4 : 90 + distance / 5;
        }
        return shipment.express() ? cents * 17 / 10 : cents;
    }

    static long fingerprint(Shipment shipment, long cents) {
        CRC32 crc = new CRC32();
        String text = shipment.id() + ";" + shipment.from() + ";" + shipment.to() + ";" + cents;
        for (int round = 0; round < 20; round++) {
            crc.update(text.getBytes(StandardCharsets.US_ASCII));
        }
        return crc.getValue();
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 4000;
        GeoService service = new GeoService();
        service.start();
        Distances distances = new Distances(service.door.getLocalPort());
        ExecutorService workers = Executors.newFixedThreadPool(8);
        List<Future<long[]>> quotes = new ArrayList<>();
        for (Shipment shipment : shipments(count)) {
            quotes.add(workers.submit(() -> {
                long cents = price(shipment, distances.between(shipment.from(), shipment.to()));
                return new long[] {cents, fingerprint(shipment, cents)};
            }));
        }
        long total = 0;
        long mix = 0;
        for (Future<long[]> quote : quotes) {
            total += quote.get()[0];
            mix ^= quote.get()[1];
        }
        workers.shutdown();
        service.door.close();
        System.out.printf("quotes %d routes %d total %d check %08x%n", count, distances.size(), total, mix);
    }
}
