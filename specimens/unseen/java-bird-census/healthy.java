import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts bird sightings by map cell and finds the busiest cells. */
class Main {
    static final int CELLS = 1 << 16;

    static final class Sighting {
        long state = 88172645463325252L;
        int cell;
        int size;

        void next() {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            double east = (state & 0xFFFF) / 65536.0;
            double north = (state >>> 16 & 0xFFFF) / 65536.0;
            cell = cellOf(east * east, north);
            size = 1 + (int) (state >>> 40 & 31);
        }
    }

    static int cellOf(double east, double north) {
        int x = (int) (east * 256);
        int y = (int) (north * 256);
        return (x << 8 | y) % CELLS;
    }

    static final class Census {
        private final long[] sums = new long[CELLS];
        private long birds;

        void record(int cell, int size) {
            sums[cell] += size;
            birds += size;
        }

        int cells() {
            int used = 0;
            for (long sum : sums) {
                used += sum > 0 ? 1 : 0;
            }
            return used;
        }

        long busiest() {
            long best = 0;
            for (int cell = 0; cell < CELLS; cell++) {
                best = Math.max(best, sums[cell] << 16 | cell);
            }
            return best;
        }

        long birds() {
            return birds;
        }
    }

    static String name(long cell) {
        return "E" + (cell >> 8) + "N" + (cell & 255);
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 100000;
        Census census = new Census();
        Sighting sighting = new Sighting();
        for (int n = 0; n < count; n++) {
            sighting.next();
            census.record(sighting.cell, sighting.size);
        }
        long busiest = census.busiest();
        System.out.println("cells " + census.cells() + " birds " + census.birds() + " busiest " + name(busiest & 0xFFFF) + " with " + (busiest >> 16));
    }
}
