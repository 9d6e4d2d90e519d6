import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Compares the offers of sand suppliers for building sites along a coast. */
final class Main {
    record Offer(String supplier, int cents, int days) {}

    record Site(String name, int tonnes) {}

    /** One supplier's desk: looks into its books before it answers. */
    static final class Supplier implements AutoCloseable {
        private final String name;
        private final int seed;
        private final ServerSocket door;

        Supplier(String name, int seed) throws IOException {
            this.name = name;
            this.seed = seed;
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::serve, "desk-" + name);
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            while (!door.isClosed()) {
                try (Socket guest = door.accept()) {
                    BufferedReader in = reader(guest);
                    int tonnes = Integer.parseInt(in.readLine());
                    TimeUnit.MILLISECONDS.sleep(12 + seed % 5);
                    String line = (1900 + seed * 37 % 400) * tonnes + " " + (2 + (seed + tonnes) % 9) + "\n";
                    guest.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    return;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }

    static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** The buyer's office. */
    static final class Office {
        private final List<Supplier> suppliers;
        private final ExecutorService clerks;

        Office(List<Supplier> suppliers, ExecutorService clerks) {
            this.suppliers = suppliers;
            this.clerks = clerks;
        }

        Offer ask(Supplier supplier, Site site) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), supplier.door.getLocalPort())) {
                OutputStream out = socket.getOutputStream();
                out.write((site.tonnes() + "\n").getBytes(StandardCharsets.US_ASCII));
                String[] parts = reader(socket).readLine().split(" ");
                return new Offer(supplier.name, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<Offer> offers(Site site) {
            List<CompletableFuture<Offer>> asked = suppliers.stream()
                .map(supplier -> CompletableFuture.supplyAsync(() -> ask(supplier, site), clerks))
                .toList();
            return asked.stream().map(CompletableFuture::join).toList();
        }

        /** Price first, but a late delivery costs a penalty per day. */
        Offer choose(List<Offer> offers, Site site) {
            return offers.stream()
                .min(Comparator.comparingLong((Offer offer) -> offer.cents() + 90L * site.tonnes() * offer.days())
                    .thenComparing(Offer::supplier))
                .orElseThrow();
        }
    }

    static List<Site> sites(int count) {
        List<Site> sites = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sites.add(new Site("site-" + i, 5 + i * 53 % 140));
        }
        return sites;
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        List<Supplier> suppliers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            suppliers.add(new Supplier("S" + (char) ('A' + i), i * 11 + 3));
        }
        ExecutorService clerks = Executors.newFixedThreadPool(10);
        Office office = new Office(suppliers, clerks);
        Map<String, Integer> chosen = new TreeMap<>();
        long total = 0;
        for (Site site : sites(count)) {
            Offer best = office.choose(office.offers(site), site);
            chosen.merge(best.supplier(), 1, Integer::sum);
            total += best.cents();
        }
        clerks.shutdown();
        for (Supplier supplier : suppliers) {
            supplier.close();
        }
        System.out.println(count + " sites, " + total + " cents, " + chosen);
    }
}
