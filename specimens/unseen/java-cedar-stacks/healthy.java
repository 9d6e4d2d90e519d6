import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A timber merchant's year: boards come in no order, are sorted for the saw, and are stacked by length. */
final class Main {
    private static final int LENGTHS = 600;

    /** Boards as numbers: length, grade and mark packed into one long, so that they sort as they should. */
    static final class Delivery {
        final long[] boards;

        Delivery(int count, int seed) {
            boards = new long[count];
            long state = seed * 2654435761L + 11;
            for (int place = 0; place < count; place++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                long length = (state >>> 33) % LENGTHS;
                long grade = (state >>> 20) & 7;
                long mark = (state >>> 40) & 0xffffff;
                boards[place] = length << 32 | grade << 28 | mark;
            }
        }
    }

    /** The stacks: how many boards of each length, and the best pairs of neighbours. */
    static final class Stacks {
        private final int[] counts = new int[LENGTHS];
        private long pairs;
        private long waste;

        void lay(long[] sorted) {
            long before = -1;
            for (long board : sorted) {
                int length = (int) (board >>> 32);
                counts[length]++;
                if (before >= 0 && before >>> 28 == board >>> 28) {
                    pairs++;
                } else if (before >= 0) {
                    waste += length - (before >>> 32);
                }
                before = board;
            }
        }

        int fullest() {
            int best = 0;
            for (int length = 1; length < LENGTHS; length++) {
                if (counts[length] > counts[best]) {
                    best = length;
                }
            }
            return best;
        }
    }

    /** Merges two sorted runs into one. */
    static long[] merge(long[] one, long[] other) {
        long[] merged = new long[one.length + other.length];
        int left = 0;
        int right = 0;
        for (int place = 0; place < merged.length; place++) {
            boolean takeLeft = right == other.length || (left < one.length && one[left] <= other[right]);
            merged[place] = takeLeft ? one[left++] : other[right++];
        }
        return merged;
    }

    private static long[] sorted(int count, int seed) {
        long[] boards = new Delivery(count, seed).boards;
        Arrays.sort(boards);
        return boards;
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10000;
        ExecutorService saws = Executors.newFixedThreadPool(2);
        Stacks stacks = new Stacks();
        for (int quarter = 0; quarter < 2; quarter++) {
            int seed = quarter * 2;
            Future<long[]> north = saws.submit(() -> sorted(count, seed));
            Future<long[]> south = saws.submit(() -> sorted(count, seed + 1));
            stacks.lay(merge(north.get(), south.get()));
        }
        saws.shutdown();
        saws.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("pairs " + stacks.pairs + ", waste " + stacks.waste + ", fullest " + stacks.fullest());
    }
}
