import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Glaze runs over a floor of tiles: two painters work on one half each and meet after every firing. */
final class Main {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 800;

    /** The floor: one colour for each spot, and the floor after the next firing. */
    static final class Floor {
        private byte[] now = new byte[WIDTH * HEIGHT];
        private byte[] then = new byte[WIDTH * HEIGHT];

        Floor(int seed) {
            int state = seed;
            for (int at = 0; at < now.length; at++) {
                state = state * 1664525 + 1013904223;
                now[at] = (byte) ((state >>> 24) % 9);
            }
        }

        /** Fires the rows from one to another: a colour gives way to the next where that stands beside it. */
        void fire(int from, int to) {
            for (int row = Math.max(1, from); row < Math.min(HEIGHT - 1, to); row++) {
                int start = row * WIDTH;
                for (int at = start + 1; at < start + WIDTH - 1; at++) {
                    byte colour = now[at];
                    byte next = colour == 8 ? 0 : (byte) (colour + 1);
                    boolean runs = now[at - 1] == next | now[at + 1] == next
                            | now[at - WIDTH] == next | now[at + WIDTH] == next;
                    then[at] = runs ? next : colour;
                }
            }
        }

        void swap() {
            byte[] old = now;
            now = then;
            then = old;
        }

        Map<Integer, Integer> colours() {
            int[] counts = new int[9];
            for (byte colour : now) {
                counts[colour]++;
            }
            Map<Integer, Integer> sums = new TreeMap<>();
            for (int colour = 0; colour < counts.length; colour++) {
                sums.put(colour, counts[colour]);
            }
            return sums;
        }
    }

    /** One painter with a part of the floor. */
    record Painter(Floor floor, CyclicBarrier meeting, int from, int to, int firings) implements Runnable {
        @Override
        public void run() {
            try {
                for (int firing = 0; firing < firings; firing++) {
                    floor.fire(from, to);
                    meeting.await();
                }
            } catch (InterruptedException | BrokenBarrierException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int firings = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        Floor floor = new Floor(1702);
        CyclicBarrier meeting = new CyclicBarrier(2, floor::swap);
        Thread other = new Thread(new Painter(floor, meeting, HEIGHT / 2, HEIGHT, firings), "south");
        other.start();
        new Painter(floor, meeting, 0, HEIGHT / 2, firings).run();
        other.join();
        System.out.println(firings + " firings " + floor.colours());
    }
}
