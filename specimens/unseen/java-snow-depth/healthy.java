// Snow on a slope: falls, settles and drifts, night after night.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

class Main {
    static final int CELLS = 200_000;

    static class Slope {
        private final int[] depths = new int[CELLS];
        private long melted;

        Slope() {
            for (int cell = 0; cell < CELLS; cell++) {
                depths[cell] = 300 + cell % 700;
            }
        }

        void settle(Sky sky) {
            for (int cell = 0; cell < depths.length; cell++) {
                int depth = depths[cell];
                int fresh = depth + sky.fall();
                if (fresh > 1400) {
                    melted += fresh - 1000;
                    fresh = 1000;
                }
                depths[cell] = fresh;
            }
        }

        double drift(int night) {
            double moved = 0;
            for (int cell = night % 50; cell < CELLS; cell += 50) {
                moved += Math.sqrt(depths[cell]) * 0.25;
            }
            return moved;
        }

        long digest() {
            long sum = melted;
            for (int depth : depths) {
                sum = sum * 31 + depth;
            }
            return sum;
        }
    }

    static class Sky {
        private int state = 271;

        int fall() {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return (state >>> 8) % 60;
        }
    }

    static double winter(Slope slope, int nights) {
        Sky sky = new Sky();
        double moved = 0;
        for (int night = 0; night < nights; night++) {
            slope.settle(sky);
            moved += slope.drift(night);
        }
        return moved;
    }

    public static void main(String[] arguments) {
        int nights = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        ScheduledExecutorService warnings = Executors.newScheduledThreadPool(2);
        warnings.scheduleAtFixedRate(() -> { }, 1, 1, TimeUnit.SECONDS);
        Slope slope = new Slope();
        double moved = winter(slope, nights);
        warnings.shutdownNow();
        System.out.printf("moved %.2f, digest %x%n", moved, slope.digest());
    }
}
