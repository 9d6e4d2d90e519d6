import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Counts how the games of a small board can go on: every position to a given depth, by two threads. */
final class Main {
    static final int COLUMNS = 7;
    static final int HEIGHT = 6;

    /** A board of two bit sets; each column has a spare row on top. */
    static final class Board {
        private final long[] stones = new long[2];
        private final int[] tops = new int[COLUMNS];
        private int moves;

        Board() {
            for (int column = 0; column < COLUMNS; column++) {
                tops[column] = column * (HEIGHT + 1);
            }
        }

        boolean canPlay(int column) {
            return tops[column] < column * (HEIGHT + 1) + HEIGHT;
        }

        void play(int column) {
            stones[moves & 1] |= 1L << tops[column]++;
            moves++;
        }

        void takeBack(int column) {
            moves--;
            stones[moves & 1] ^= 1L << --tops[column];
        }

        /** Whether the side that moved last has four in a row. */
        boolean won() {
            long own = stones[moves - 1 & 1];
            return line(own, 1) || line(own, HEIGHT) || line(own, HEIGHT + 1) || line(own, HEIGHT + 2);
        }

        private static boolean line(long own, int step) {
            long pairs = own & own >> step;
            return (pairs & pairs >> 2 * step) != 0;
        }
    }

    static final class Tally {
        final LongAdder positions = new LongAdder();
        final LongAdder wins = new LongAdder();
    }

    /** Walks below one opening; the sums are handed over once, at the end. */
    static final class Walk implements Callable<Integer> {
        private final Board board = new Board();
        private final Tally tally;
        private final int depth;
        private final int[] opening;
        private long positions;
        private long wins;

        Walk(Tally tally, int depth, int... opening) {
            this.tally = tally;
            this.depth = depth;
            this.opening = opening;
        }

        @Override
        public Integer call() {
            for (int column : opening) {
                board.play(column);
            }
            go(depth - opening.length);
            tally.positions.add(positions);
            tally.wins.add(wins);
            return opening[0];
        }

        private void go(int left) {
            positions++;
            if (left == 0) {
                return;
            }
            for (int column = 0; column < COLUMNS; column++) {
                if (!board.canPlay(column)) {
                    continue;
                }
                board.play(column);
                if (board.won()) {
                    wins++;
                } else {
                    go(left - 1);
                }
                board.takeBack(column);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int depth = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        Tally tally = new Tally();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> running = new ArrayList<>();
        for (int first = 0; first < COLUMNS; first++) {
            for (int second = 0; second < COLUMNS; second++) {
                running.add(pool.submit(new Walk(tally, depth, first, second)));
            }
        }
        int checks = 0;
        for (Future<Integer> future : running) {
            checks += future.get();
        }
        pool.shutdown();
        System.out.println(tally.positions.sum() + " positions, " + tally.wins.sum() + " wins, " + checks);
    }
}
