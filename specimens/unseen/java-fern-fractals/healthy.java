import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Draws the border of a fractal, row by row, on all processors. */
final class Main {
    record View(double left, double top, double step, int width, int height, int limit) {
        double x(int column) {
            return left + column * step;
        }

        double y(int row) {
            return top + row * step;
        }
    }

    /** Counts of one picture by depth; merges with those of another part. */
    static final class Histogram {
        private final long[] counts;

        Histogram(int limit) {
            counts = new long[limit + 1];
        }

        void add(int depth) {
            counts[depth]++;
        }

        Histogram merge(Histogram other) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += other.counts[i];
            }
            return this;
        }

        long mark() {
            long mark = 17;
            for (long count : counts) {
                mark = mark * 31 + count;
            }
            return mark;
        }

        long total() {
            return Arrays.stream(counts).sum();
        }
    }

    static final class Rows extends RecursiveTask<Histogram> {
        private static final int FEW = 4;
        private final transient View view;
        private final int from;
        private final int to;

        Rows(View view, int from, int to) {
            this.view = view;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Histogram compute() {
            if (to - from <= FEW) {
                return draw();
            }
            int middle = (from + to) >>> 1;
            Rows upper = new Rows(view, from, middle);
            Rows lower = new Rows(view, middle, to);
            upper.fork();
            Histogram below = lower.compute();
            return upper.join().merge(below);
        }

        private Histogram draw() {
            Histogram histogram = new Histogram(view.limit());
            for (int row = from; row < to; row++) {
                double y = view.y(row);
                for (int column = 0; column < view.width(); column++) {
                    histogram.add(depth(view.x(column), y, view.limit()));
                }
            }
            return histogram;
        }
    }

    static int depth(double x, double y, int limit) {
        double a = 0;
        double b = 0;
        double aa = 0;
        double bb = 0;
        int depth = 0;
        while (depth < limit && aa + bb <= 4) {
            b = 2 * a * b + y;
            a = aa - bb + x;
            aa = a * a;
            bb = b * b;
            depth++;
        }
        return depth;
    }

    public static void main(String[] args) {
        int side = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        View view = new View(-0.78, 0.08, 0.06 / side, side, side, 1500);
        ForkJoinPool pool = new ForkJoinPool();
        Histogram histogram = pool.invoke(new Rows(view, 0, view.height()));
        pool.shutdown();
        System.out.println("points " + histogram.total() + " mark " + histogram.mark());
    }
}
