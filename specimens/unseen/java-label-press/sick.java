import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.CRC32;

/** Label printing of a warehouse: an order's labels are set, drawn and handed to the packer. */
class Main {

    static final class Order {
        final int number;
        final List<String> lines = new ArrayList<>();

        Order(int number) {
            this.number = number;
            for (int at = 0; at < 3 + number % 4; at++) {
                lines.add("SKU-" + (number * 37 + at * 11) % 5000 + " x" + (1 + (number + at) % 6));
            }
        }
    }

    static final class Ticket {
        final Order order;
        private final CountDownLatch printed = new CountDownLatch(1);
        private volatile long checksum;

        Ticket(Order order) {
            this.order = order;
        }

        void complete(long sum) {
            checksum = sum;
            printed.countDown();
        }

        boolean isPrinted() {
            return printed.getCount() == 0;
        }

        long await() throws InterruptedException {
            while (!isPrinted()) {
                Thread.sleep(12);
            }
            return checksum;
        }
    }

    static final class Raster {
        private final byte[] dots = new byte[384 * 240];

        void clear() {
            java.util.Arrays.fill(dots, (byte) 0);
        }

        void text(String line, int row) {
            int column = 4;
            for (char letter : line.toCharArray()) {
                for (int y = 0; y < 12; y++) {
                    int pattern = letter * 2654435 >>> y;
                    for (int x = 0; x < 8; x++) {
                        if ((pattern >> x & 1) == 1) {
                            dots[((row + y) % 240) * 384 + (column + x) % 384] = 1;
                        }
                    }
                }
                column += 9;
            }
        }

        void barcode(int number) {
            int bars = number * 0x9E3779B1;
            for (int x = 0; x < 320; x++) {
                if ((bars >>> (x / 10) & 1) == 1) {
                    for (int y = 180; y < 230; y++) {
                        dots[y * 384 + 20 + x] = 1;
                    }
                }
            }
        }

        long checksum() {
            CRC32 crc = new CRC32();
            crc.update(dots);
            return crc.getValue();
        }
    }

    static final class Press implements Runnable {
        private final BlockingQueue<Ticket> queue = new LinkedBlockingQueue<>();
        private final Raster raster = new Raster();
        private int labels;

        Ticket submit(Order order) {
            Ticket ticket = new Ticket(order);
            queue.add(ticket);
            return ticket;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Ticket ticket = queue.take();
                    ticket.complete(print(ticket.order));
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }

        private long print(Order order) {
            long sum = 0;
            for (int copy = 0; copy < 4; copy++) {
                raster.clear();
                int row = 8;
                for (String line : order.lines) {
                    raster.text(line + " #" + copy, row);
                    row += 16;
                }
                raster.barcode(order.number + copy);
                sum = sum * 31 + raster.checksum();
                labels++;
            }
            return sum;
        }
    }

    static final class Packer {
        private final Deque<Long> shelf = new ArrayDeque<>();
        private long seal;

        void put(long checksum) {
            shelf.addLast(checksum);
            if (shelf.size() > 16) {
                seal = seal * 1_000_003 + shelf.removeFirst();
            }
        }

        long close() {
            while (!shelf.isEmpty()) {
                seal = seal * 1_000_003 + shelf.removeFirst();
            }
            return seal;
        }
    }

    public static void main(String[] args) throws Exception {
        int orders = Integer.parseInt(args[0]);
        Press press = new Press();
        Thread machine = new Thread(press, "press");
        machine.setDaemon(true);
        machine.start();
        Packer packer = new Packer();
        for (int number = 1; number <= orders; number++) {
            Ticket ticket = press.submit(new Order(number));
            packer.put(ticket.await());
        }
        System.out.println("orders=" + orders + " labels=" + press.labels
            + " seal=" + Long.toHexString(packer.close()));
    }
}
