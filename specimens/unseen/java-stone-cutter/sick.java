// Cuts blocks of stone into slabs: each cut borrows a blade from the rack and hands it back.
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

class Main {
    static final class Rack {
        final AtomicLong out = new AtomicLong();
        final AtomicLong lost = new AtomicLong();
        final int[] teeth = new int[64];

        Blade borrow(int kind) {
            out.incrementAndGet();
            return new Blade(this, kind % teeth.length);
        }
    }

    // A blade in use. It has to be handed back; the rack counts those that never were.
    static final class Blade implements AutoCloseable {
        private final Rack rack;
        private final int kind;
        private boolean back;

        Blade(Rack rack, int kind) {
            this.rack = rack;
            this.kind = kind;
        }

        int cut(int hardness, int length) {
            int worn = (hardness * length) >>> 7;
            rack.teeth[kind] += worn & 3;
            return worn;
        }

        @Override
        public void close() {
            if (!back) {
                back = true;
                rack.out.decrementAndGet();
            }
        }

        @Override
        protected void finalize() {
            if (!back) {
                rack.lost.incrementAndGet();
            }
        }
    }

    record Block(int length, int width, int hardness) {
    }

    static final class Quarry {
        private int state = 271828;

        Block next() {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            return new Block(40 + (state >>> 8) % 90, 20 + (state >>> 16) % 50, 1 + (state >>> 4) % 15);
        }
    }

    static final class Yard {
        private final Rack rack = new Rack();
        private final Deque<Block> waiting = new ArrayDeque<>();
        private final Quarry quarry = new Quarry();
        private final long[] dust = new long[16];
        private long slabs;

        void day(int blocks) {
            for (int number = 0; number < blocks; number++) {
                waiting.add(quarry.next());
            }
            while (!waiting.isEmpty()) {
                saw(waiting.poll());
            }
        }

        void saw(Block block) {
            int step = 4 + block.hardness() / 2;
            for (int at = step; at < block.length(); at += step) {
                try (Blade blade = rack.borrow(block.hardness() * 4 + at % 4)) {
                    dust[block.hardness()] += blade.cut(block.hardness(), block.width());
                    slabs++;
                }
            }
        }
    }

    public static void main(String[] args) {
        int days = Integer.parseInt(args[0]);
        Yard yard = new Yard();
        for (int day = 0; day < days; day++) {
            yard.day(500);
        }
        System.out.println("slabs " + yard.slabs + " out " + yard.rack.out + " lost " + yard.rack.lost
                + " dust " + Arrays.hashCode(yard.dust) + " teeth " + Arrays.hashCode(yard.rack.teeth));
    }
}
