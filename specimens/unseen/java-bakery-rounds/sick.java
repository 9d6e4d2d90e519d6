import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Follows the ovens of a chain of bakeries: keeps each oven's last temperatures and calls out the odd ones. */
final class Main {
    static final int OVENS = 700;
    static final int KEPT = 2400;

    static final class Draw {
        private long state;

        Draw(long seed) {
            state = seed;
        }

        int next(int bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) (state >>> 33) % bound;
        }
    }

    /** The last readings of one oven, the oldest overwritten first, with their sum. */
    static final class Trail {
        private final List<Long> readings = new ArrayList<>(KEPT);
        private long sum;
        private int at;

        void put(long milli) {
            if (readings.size() < KEPT) {
                readings.add(milli);
            } else {
                sum -= readings.get(at);
                readings.set(at, milli);
                at = (at + 1) % KEPT;
            }
            sum += milli;
        }

        long mean() {
            return sum / readings.size();
        }

        long spread(int back) {
            long low = Long.MAX_VALUE;
            long high = Long.MIN_VALUE;
            int size = readings.size();
            for (int i = 0; i < Math.min(back, size); i++) {
                long milli = readings.get((at + size - 1 - i) % size);
                low = Math.min(low, milli);
                high = Math.max(high, milli);
            }
            return high - low;
        }
    }

    record Call(int oven, long milli, long mean) {
        String line() {
            return "oven " + oven + " at " + milli / 1000 + "." + milli % 1000 / 100 + ", usual " + mean / 1000;
        }
    }

    static final class Watch {
        private final Trail[] trails = new Trail[OVENS];
        private final CRC32 seal = new CRC32();
        private long calls;

        Watch() {
            for (int oven = 0; oven < OVENS; oven++) {
                trails[oven] = new Trail();
            }
        }

        void reading(int oven, long milli) {
            Trail trail = trails[oven];
            trail.put(milli);
            long mean = trail.mean();
            if (milli > mean + 15_800) {
                call(new Call(oven, milli, mean));
            }
        }

        private void call(Call call) {
            calls++;
            if (calls % 64 == 0) {
                seal.update(call.line().getBytes());
            }
        }

        long steadiest() {
            int best = 0;
            for (int oven = 1; oven < OVENS; oven++) {
                if (trails[oven].spread(40) < trails[best].spread(40)) {
                    best = oven;
                }
            }
            return best;
        }
    }

    /** Heating in waves; every oven at its own pace. */
    static long degrees(Draw draw, int oven, long round) {
        long wave = (round * (3 + oven % 5) + oven * 17L) % 360;
        long swing = Math.abs(wave - 180) * 100;
        return 210_000 + swing + draw.next(14_000);
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        Draw draw = new Draw(5);
        Watch watch = new Watch();
        long steady = 0;
        for (long round = 0; round < rounds; round++) {
            for (int oven = 0; oven < OVENS; oven++) {
                watch.reading(oven, degrees(draw, oven, round));
            }
            if (round % 500 == 499) {
                steady = steady * 31 + watch.steadiest();
            }
        }
        System.out.println("calls " + watch.calls + " steady " + steady + " seal " + Long.toHexString(watch.seal.getValue()));
    }
}
