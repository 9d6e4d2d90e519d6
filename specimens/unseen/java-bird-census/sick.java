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
        private final Map<Long, List<Long>> flocks = new HashMap<>();
        private long birds;

        void record(int cell, int size) {
            flocks.computeIfAbsent((long) cell, key -> new ArrayList<>()).add(1000L + size);
            birds += size;
        }

        int cells() {
            return flocks.size();
        }

        long busiest() {
            long best = 0;
            for (Map.Entry<Long, List<Long>> entry : flocks.entrySet()) {
                long sum = 0;
                for (Long size : entry.getValue()) {
                    sum += size - 1000L;
                }
                best = Math.max(best, sum << 16 | entry.getKey());
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
