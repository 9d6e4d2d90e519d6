import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Draws church windows from panes of glass and gives the mean light of each. */
final class Main {
    static final int WIDTH = 1600;
    static final int HEIGHT = 1000;

    record Pane(int x, int y, int size, float red, float green, float blue) {
        boolean covers(int column, int row) {
            int dx = Math.abs(column - x);
            int dy = Math.abs(row - y);
            return dx + dy <= size;
        }
    }

    interface Surface {
        void blend(int column, int row, Pane pane);

        double light(List<Pane> panes);
    }

    static class Canvas implements Surface {
        final float[] red = new float[WIDTH * HEIGHT];
        final float[] green = new float[WIDTH * HEIGHT];
        final float[] blue = new float[WIDTH * HEIGHT];

        @Override
        public void blend(int column, int row, Pane pane) {
            int place = row * WIDTH + column;
            red[place] = (red[place] + pane.red()) / 2;
            green[place] = (green[place] + pane.green()) / 2;
            blue[place] = (blue[place] + pane.blue()) / 2;
        }

        @Override
        public double light(List<Pane> panes) {
            double sum = 0;
            for (Pane pane : panes) {
                for (int row = Math.max(0, pane.y() - 2); row < Math.min(HEIGHT, pane.y() + 3); row++) {
                    for (int column = Math.max(0, pane.x() - 2); column < Math.min(WIDTH, pane.x() + 3); column++) {
                        int place = row * WIDTH + column;
                        sum += 0.3 * red[place] + 0.6 * green[place] + 0.1 * blue[place];
                    }
                }
            }
            return sum;
        }

        void wipe(List<Pane> panes) {
            for (Pane pane : panes) {
                for (int row = Math.max(0, pane.y() - pane.size()); row <= Math.min(HEIGHT - 1, pane.y() + pane.size()); row++) {
                    int from = row * WIDTH + Math.max(0, pane.x() - pane.size());
                    int to = row * WIDTH + Math.min(WIDTH - 1, pane.x() + pane.size()) + 1;
                    java.util.Arrays.fill(red, from, to, 0);
                    java.util.Arrays.fill(green, from, to, 0);
                    java.util.Arrays.fill(blue, from, to, 0);
                }
            }
        }
    }

    static final class Glazier {
        private final Deque<Double> last = new ArrayDeque<>();

        double window(List<Pane> panes) {
            Canvas canvas = new Canvas();
            for (Pane pane : panes) {
                draw(canvas, pane);
            }
            double light = canvas.light(panes);
            remember(light);
            return light;
        }

        private void draw(Surface surface, Pane pane) {
            for (int row = Math.max(0, pane.y() - pane.size()); row <= Math.min(HEIGHT - 1, pane.y() + pane.size()); row++) {
                for (int column = Math.max(0, pane.x() - pane.size()); column <= Math.min(WIDTH - 1, pane.x() + pane.size()); column++) {
                    if (pane.covers(column, row)) {
                        surface.blend(column, row, pane);
                    }
                }
            }
        }

        private void remember(double light) {
            last.addLast(light);
            if (last.size() > 12) {
                last.removeFirst();
            }
        }

        double recent() {
            return last.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        }
    }

    static List<Pane> design(int number) {
        List<Pane> panes = new ArrayList<>();
        long state = number * 2862933555777941757L + 3037000493L;
        for (int i = 0; i < 25; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int bits = (int) (state >>> 33);
            panes.add(new Pane(bits % WIDTH, (bits >>> 9) % HEIGHT, 8 + bits % 14,
                    (bits & 255) / 255f, (bits >>> 8 & 255) / 255f, (bits >>> 16 & 255) / 255f));
        }
        return panes;
    }

    public static void main(String[] args) {
        int windows = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Glazier glazier = new Glazier();
        double brightest = 0;
        double sum = 0;
        for (int number = 0; number < windows; number++) {
            double light = glazier.window(design(number));
            brightest = Math.max(brightest, light);
            sum += light;
        }
        System.out.printf("windows %d light %.3f brightest %.3f recent %.3f%n", windows, sum, brightest, glazier.recent());
    }
}
