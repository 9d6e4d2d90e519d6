// Works through knitting plans: a plan is a run of rows from a pattern book, and each row has its own wool and time.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Main {
    static final int WIDTH = 320;

    // A row of stitches; two rows with the same stitches are the same row.
    static final class Row {
        private final List<Integer> stitches;
        private final int hash;

        Row(List<Integer> stitches) {
            this.stitches = List.copyOf(stitches);
            this.hash = this.stitches.hashCode();
        }

        List<Integer> stitches() {
            return stitches;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Row row && stitches.equals(row.stitches);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    static final class Chance {
        private long state;

        Chance(long seed) {
            state = seed;
        }

        int below(int limit) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % limit);
        }
    }

    static final class Work {
        int times;
        long wool;
        final int seconds;

        Work(int seconds) {
            this.seconds = seconds;
        }
    }

    static List<Row> book(int rows, Chance chance) {
        List<Row> book = new ArrayList<>();
        for (int number = 0; number < rows; number++) {
            List<Integer> stitches = new ArrayList<>();
            for (int place = 0; place < WIDTH; place++) {
                stitches.add(chance.below(9));
            }
            book.add(new Row(stitches));
        }
        return book;
    }

    // Seconds that a practised hand needs; cables take longer than plain stitches.
    static int seconds(Row row) {
        int sum = 0;
        int before = 0;
        for (int stitch : row.stitches()) {
            sum += stitch < 6 ? 1 : 3;
            if (stitch != before) {
                sum++;
            }
            before = stitch;
        }
        return sum;
    }

    static final class Knitter {
        private final Map<Row, Work> known = new HashMap<>();
        private long time;

        void knit(Row row, int yarn) {
            Work work = known.get(row);
            if (work == null) {
                work = new Work(seconds(row));
                known.put(row, work);
            }
            work.times++;
            work.wool += yarn;
            time += Math.max(60, work.seconds - work.times / 4);
        }

        long wool() {
            long sum = 0;
            for (Work work : known.values()) {
                sum += work.wool;
            }
            return sum;
        }
    }

    // How thick the yarn comes from the ball: it changes slowly.
    static int yarn(int place) {
        double wave = Math.sin(place * 0.001) + Math.sin(place * 0.00037);
        return 20 + (int) Math.round(wave * 4);
    }

    public static void main(String[] args) {
        int rows = Integer.parseInt(args[0]);
        Chance chance = new Chance(1905);
        List<Row> book = book(180, chance);
        Knitter knitter = new Knitter();
        for (int place = 0; place < rows; place++) {
            knitter.knit(book.get(chance.below(book.size())), yarn(place));
        }
        System.out.println("rows " + rows + " known " + knitter.known.size() + " time " + knitter.time + " wool " + knitter.wool());
    }
}
