import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Prints an almanac of tides: each chapter is set by the press, then bound with the one before. */
class Main {
    enum Phase { QUEUED, SETTING, DONE }

    static final class Chapter {
        final int number;
        final int[] heights;
        volatile Phase phase = Phase.QUEUED;
        long proof;

        Chapter(int number, int days, long seal) {
            this.number = number;
            this.heights = new int[days * 24];
            for (int hour = 0; hour < heights.length; hour++) {
                double moon = Math.sin(hour * 0.5059 + number + seal % 7);
                heights[hour] = (int) Math.round(300 + 210 * moon + 40 * Math.cos(hour * 0.0172));
            }
        }
    }

    /** Sets the type of one chapter after the other. */
    static final class Press implements AutoCloseable {
        private final ExecutorService hands = Executors.newFixedThreadPool(2);
        private final Map<Integer, Future<?>> orders = new ConcurrentHashMap<>();

        void order(Chapter chapter) {
            orders.put(chapter.number, hands.submit(() -> set(chapter)));
        }

        private void set(Chapter chapter) {
            chapter.phase = Phase.SETTING;
            long proof = chapter.number;
            for (int pass = 0; pass < 150; pass++) {
                for (int height : chapter.heights) {
                    proof = Long.rotateLeft(proof ^ height, 11) * 0x9E3779B97F4A7C15L + pass;
                }
            }
            chapter.proof = proof >>> 1;
            chapter.phase = Phase.DONE;
        }

        boolean finished(Chapter chapter) {
            return chapter.phase == Phase.DONE;
        }

        Future<?> receipt(Chapter chapter) {
            return orders.get(chapter.number);
        }

        @Override
        public void close() {
            hands.shutdown();
        }
    }

    static final class Bindery {
        private final Map<Long, Integer> threads = new HashMap<>();
        private long seal = 1;

        long bind(Chapter chapter) {
            for (int n = 0; n < 40; n++) {
                threads.merge((chapter.proof >>> (n % 32)) % 97, 1, Integer::sum);
            }
            seal = (seal * 31 + chapter.proof % 1000003) % 1000003;
            return seal;
        }

        int colours() {
            return threads.size();
        }
    }

    static final class Publisher {
        private final Press press;
        private final Bindery bindery = new Bindery();
        private final List<Integer> pages = new ArrayList<>();

        Publisher(Press press) {
            this.press = press;
        }

        private void await(Chapter chapter) throws InterruptedException, ExecutionException {
            while (!press.finished(chapter)) {
                Thread.sleep(40);
            }
        }

        long publish(int chapters) throws InterruptedException, ExecutionException {
            long seal = 0;
            for (int number = 1; number <= chapters; number++) {
                Chapter chapter = new Chapter(number, 365, seal);
                press.order(chapter);
                await(chapter);
                seal = bindery.bind(chapter);
                pages.add(3 + chapter.heights.length / 900 + (int) (chapter.proof % 5));
            }
            return seal;
        }

        String line(long seal) {
            int sum = 0;
            for (int count : pages) {
                sum += count;
            }
            return "chapters " + pages.size() + " pages " + sum + " colours " + bindery.colours() + " seal " + seal;
        }
    }

    public static void main(String[] args) throws Exception {
        int chapters = args.length > 0 ? Integer.parseInt(args[0]) : 6;
        try (Press press = new Press()) {
            Publisher publisher = new Publisher(press);
            System.out.println(publisher.line(publisher.publish(chapters)));
        }
    }
}
