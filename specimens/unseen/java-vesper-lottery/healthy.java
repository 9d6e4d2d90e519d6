import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Draws many possible years of a lottery's claims fund and notes how deep each cover is hit: by the steps between ranked claims. */
class Main {
    static final int BATCH = 200;

    /** What all drawings have led to; batches are entered whole. */
    static final class Fund {
        private final long[] layers = new long[6];
        private long years;
        private long worst;

        synchronized void enter(long[] part, long most, int count) {
            for (int n = 0; n < layers.length; n++) {
                layers[n] += part[n];
            }
            years += count;
            worst = Math.max(worst, most);
        }

        synchronized String line() {
            return "years " + years + " worst " + worst + " layers " + Arrays.toString(layers);
        }
    }

    static final class Year {
        private final double[] claims = new double[160];
        private long state;

        private double draw() {
            state += 0x9E3779B97F4A7C15L;
            long value = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            value = (value ^ (value >>> 27)) * 0x94D049BB133111EBL;
            return ((value ^ (value >>> 31)) >>> 11) * 0x1.0p-53;
        }

        long run(int number, long[] part) {
            state = number * 0x632BE59BD9B4E019L;
            int count = 90 + (int) (draw() * 70);
            for (int n = 0; n < count; n++) {
                claims[n] = 1000 * Math.pow(1.0 - draw(), -0.62) - Math.log1p(-draw()) * 35;
            }
            Arrays.sort(claims, 0, count);
            double sum = 0;
            for (int n = count - 1; n >= 0; n--) {
                double below = n > 0 ? claims[n - 1] : 0;
                double left = (claims[n] - below) * (count - n);
                for (int layer = 0; layer < part.length && left > 0; layer++) {
                    double paid = Math.min(left, 1500 << layer);
                    part[layer] += (long) paid;
                    left -= paid;
                }
                sum += claims[n];
            }
            return (long) sum;
        }
    }

    static final class Drawer implements Runnable {
        private final AtomicInteger next;
        private final int batches;
        private final Fund fund;

        Drawer(AtomicInteger next, int batches, Fund fund) {
            this.next = next;
            this.batches = batches;
            this.fund = fund;
        }

        @Override
        public void run() {
            Year year = new Year();
            long[] part = new long[6];
            for (int batch = next.getAndIncrement(); batch < batches; batch = next.getAndIncrement()) {
                Arrays.fill(part, 0);
                long most = 0;
                for (int n = 0; n < BATCH; n++) {
                    most = Math.max(most, year.run(batch * BATCH + n, part));
                }
                fund.enter(part, most, BATCH);
            }
        }
    }

    static void keep(Path path, String line) throws IOException {
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            out.force(true);
        }
    }

    public static void main(String[] args) throws Exception {
        int batches = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        Fund fund = new Fund();
        LinkedBlockingQueue<String> notices = new LinkedBlockingQueue<>();
        ExecutorService readers = Executors.newFixedThreadPool(10);
        for (int n = 0; n < 10; n++) {
            readers.submit(notices::take);
        }
        AtomicInteger beats = new AtomicInteger();
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
        clock.scheduleAtFixedRate(beats::incrementAndGet, 50, 50, TimeUnit.MILLISECONDS);
        int hands = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(hands);
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> drawers = new ArrayList<>();
        for (int n = 0; n < hands; n++) {
            drawers.add(pool.submit(new Drawer(next, batches, fund)));
        }
        for (Future<?> drawer : drawers) {
            drawer.get();
        }
        pool.shutdown();
        readers.shutdownNow();
        clock.shutdownNow();
        Path path = Files.createTempFile("vesper", ".txt");
        keep(path, fund.line());
        Files.delete(path);
        System.out.println(fund.line());
    }
}
