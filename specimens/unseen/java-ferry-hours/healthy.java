import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/** Finds the crossing hours of a chain ferry: every day's plan depends on where the day before has left the boats. */
final class Main {
    static final int PIERS = 14;
    static final int BOATS = 3;
    static final int FAR = 1 << 28;

    record Plan(int minutes, int[] ends) {}

    /** The counters at the piers; each waits for passengers and prints what it is given. */
    static final class Counters implements AutoCloseable {
        private final ExecutorService people;
        private final List<LinkedBlockingQueue<String>> trays = new ArrayList<>();
        private final List<Future<Integer>> printed = new ArrayList<>();

        Counters(int count) {
            people = Executors.newFixedThreadPool(count, work -> new Thread(work, "counter"));
            for (int i = 0; i < count; i++) {
                LinkedBlockingQueue<String> tray = new LinkedBlockingQueue<>();
                trays.add(tray);
                printed.add(people.submit(() -> stand(tray)));
            }
        }

        private static int stand(LinkedBlockingQueue<String> tray) throws InterruptedException {
            int lines = 0;
            while (true) {
                String text = tray.take();
                if (text.isEmpty()) {
                    return lines;
                }
                lines += text.length() / 8;
            }
        }

        void hand(int counter, String text) {
            trays.get(counter % trays.size()).add(text);
        }

        int finish() throws InterruptedException, ExecutionException {
            int lines = 0;
            for (LinkedBlockingQueue<String> tray : trays) {
                tray.add("");
            }
            for (Future<Integer> one : printed) {
                lines += one.get();
            }
            return lines;
        }

        @Override
        public void close() {
            people.shutdown();
        }
    }

    static int[][] distances() {
        int[][] out = new int[PIERS][PIERS];
        int state = 17;
        for (int a = 0; a < PIERS; a++) {
            for (int b = 0; b < a; b++) {
                state = state * 1103515245 + 12345;
                out[a][b] = out[b][a] = 4 + (state >>> 18) % 40;
            }
        }
        return out;
    }

    /** The quickest way through all piers from one of them, over the sets of piers that were called at. */
    static Plan cross(int[][] minutes, int start, int[] waits, int[] best) {
        int full = (1 << PIERS) - 1;
        Arrays.fill(best, FAR);
        best[(1 << start) * PIERS + start] = waits[start];
        for (int called = 1; called <= full; called++) {
            if ((called >> start & 1) == 0) {
                continue;
            }
            for (int at = 0; at < PIERS; at++) {
                int now = best[called * PIERS + at];
                if (now >= FAR) {
                    continue;
                }
                for (int to = 0; to < PIERS; to++) {
                    if ((called >> to & 1) == 0) {
                        int slot = (called | 1 << to) * PIERS + to;
                        int then = now + minutes[at][to] + (now / 60 % 2 == 0 ? waits[to] : 0);
                        if (then < best[slot]) {
                            best[slot] = then;
                        }
                    }
                }
            }
        }
        int end = 0;
        for (int at = 1; at < PIERS; at++) {
            if (best[full * PIERS + at] < best[full * PIERS + end]) {
                end = at;
            }
        }
        return new Plan(best[full * PIERS + end], new int[] {start, end});
    }

    static String sheet(int day, int boat, Plan plan) {
        ByteBuffer raw = ByteBuffer.allocate(12).putInt(day).putInt(boat).putInt(plan.minutes());
        StringBuilder out = new StringBuilder();
        for (byte one : raw.array()) {
            out.append(Integer.toHexString(one & 255)).append(' ');
        }
        return out.toString();
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int days = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        int[][] minutes = distances();
        int[] best = new int[(1 << PIERS) * PIERS];
        int[] berths = {0, 5, 9};
        int[] waits = new int[PIERS];
        long mark = 1;
        int lines;
        try (Counters counters = new Counters(48)) {
            for (int day = 0; day < days; day++) {
                for (int boat = 0; boat < BOATS; boat++) {
                    Plan plan = cross(minutes, berths[boat], waits, best);
                    berths[boat] = plan.ends()[1];
                    waits[(int) (mark & 0xffff) % PIERS] = plan.minutes() % 13;
                    mark = mark * 31 + plan.minutes();
                    counters.hand(day * BOATS + boat, sheet(day, boat, plan));
                }
            }
            lines = counters.finish();
        }
        System.out.println("days " + days + " lines " + lines + " mark " + Long.toHexString(mark));
    }
}
