import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Lays the strands of crocus plants beside each other and says which ones are kin. */
final class Main {
    private static final int GAP = 7;
    private static final int[][] MATCH = {{5, -4, -1, -4}, {-4, 5, -4, -1}, {-1, -4, 5, -4}, {-4, -1, -4, 5}};

    /** A strand, in letters from 0 to 3. */
    record Strand(String name, byte[] letters) {
        static Strand grow(String name, byte[] parent, int seed, int length) {
            byte[] letters = new byte[length];
            int state = seed * 69069 + 1;
            for (int at = 0; at < length; at++) {
                state = state * 1664525 + 1013904223;
                boolean kept = parent != null && at < parent.length && (state >>> 27) > 2;
                letters[at] = kept ? parent[at] : (byte) (state >>> 30);
            }
            return new Strand(name, letters);
        }
    }

    /** How well two strands lie beside each other. */
    record Kinship(String left, String right, int score) {
    }

    /** One pair to be looked at. */
    static final class Pair implements Callable<Kinship> {
        private final Strand left;
        private final Strand right;
        private final Greenhouse house;

        Pair(Strand left, Strand right, Greenhouse house) {
            this.left = left;
            this.right = right;
            this.house = house;
        }

        @Override
        public Kinship call() {
            int[] row = house.row(right.letters().length + 1);
            int score = align(left.letters(), right.letters(), row);
            house.note(left.name(), right.name(), score, (long) left.letters().length * right.letters().length);
            return new Kinship(left.name(), right.name(), score);
        }

        /** The best place to lay one strand on the other; each cell needs the one above, beside and between. */
        private static int align(byte[] left, byte[] right, int[] row) {
            java.util.Arrays.fill(row, 0);
            int best = 0;
            for (byte letter : left) {
                int[] match = MATCH[letter];
                int corner = 0;
                int beside = 0;
                for (int at = 0; at < right.length; at++) {
                    int above = row[at + 1];
                    int score = Math.max(0, corner + match[right[at]]);
                    score = Math.max(score, Math.max(above, beside) - GAP);
                    corner = above;
                    beside = score;
                    row[at + 1] = score;
                    best = Math.max(best, score);
                }
            }
            return best;
        }
    }

    /** Where the work is done and watched. */
    static final class Greenhouse {
        private final Map<String, Integer> closest = new ConcurrentHashMap<>();
        private final LongAdder cells = new LongAdder();
        private final AtomicInteger pairs = new AtomicInteger();
        private final ThreadLocal<int[]> rows = ThreadLocal.withInitial(() -> new int[0]);
        private volatile String shown = "";

        int[] row(int length) {
            int[] row = rows.get();
            if (row.length < length) {
                row = new int[length];
                rows.set(row);
            }
            return row;
        }

        void note(String left, String right, int score, long work) {
            closest.merge(left, score, Math::max);
            closest.merge(right, score, Math::max);
            cells.add(work);
            pairs.incrementAndGet();
        }

        void show() {
            shown = pairs.get() + " pairs, " + cells.sum() + " cells, " + closest.size() + " plants";
        }
    }

    private static List<Strand> bed(int plants) {
        List<Strand> strands = new ArrayList<>();
        for (int plant = 0; plant < plants; plant++) {
            byte[] parent = plant < 3 ? null : strands.get(plant / 3).letters();
            strands.add(Strand.grow("plant " + plant, parent, plant, 1500 + plant * 37 % 300));
        }
        return strands;
    }

    private static List<Kinship> compare(List<Strand> strands, Greenhouse house) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int left = 0; left < strands.size(); left++) {
            for (int right = left + 1; right < strands.size(); right++) {
                pairs.add(new Pair(strands.get(left), strands.get(right), house));
            }
        }
        ExecutorService workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Kinship> found = new ArrayList<>();
            for (Future<Kinship> pair : workers.invokeAll(pairs)) {
                found.add(pair.get());
            }
            return found;
        } finally {
            workers.shutdown();
        }
    }

    public static void main(String[] args) throws Exception {
        int plants = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        Greenhouse house = new Greenhouse();
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        watch.scheduleAtFixedRate(house::show, 10, 10, TimeUnit.MILLISECONDS);
        List<Kinship> found = compare(bed(plants), house);
        watch.shutdownNow();
        watch.awaitTermination(5, TimeUnit.SECONDS);
        house.show();
        Kinship best = found.stream().max(Comparator.comparingInt(Kinship::score)).orElseThrow();
        System.out.println(house.shown + ", closest " + best.left() + " and " + best.right() + " " + best.score());
    }
}
