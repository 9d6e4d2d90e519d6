// Surveys oyster beds: each bed is cut into strips, the strips are counted side by side and added up.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class Main {
    static final int STRIPS = 6;
    static final int LENGTH = 900;

    record Count(int oysters, int pearls) {
        Count plus(Count other) {
            return new Count(oysters + other.oysters, pearls + other.pearls);
        }
    }

    static final class Bed {
        final int number;
        final byte[] floor;

        Bed(int number) {
            this.number = number;
            this.floor = new byte[STRIPS * LENGTH];
            int state = number * 7919 + 17;
            for (int place = 0; place < floor.length; place++) {
                state = state * 1664525 + 1013904223;
                floor[place] = (byte) (state >>> 25);
            }
        }
    }

    static Count countStrip(Bed bed, int strip) {
        int oysters = 0;
        int pearls = 0;
        for (int place = strip * LENGTH; place < (strip + 1) * LENGTH; place++) {
            if (bed.floor[place] > 90) {
                oysters++;
                if ((bed.floor[place] * 31 + place) % 97 == 0) {
                    pearls++;
                }
            }
        }
        return new Count(oysters, pearls);
    }

    static final class Survey {
        private final Map<Integer, Integer> byClass = new TreeMap<>();
        private long pearls;

        Count count(Bed bed) throws Exception {
            ExecutorService divers = Executors.newFixedThreadPool(STRIPS);
            List<Callable<Count>> strips = new ArrayList<>();
            for (int strip = 0; strip < STRIPS; strip++) {
                int own = strip;
                strips.add(() -> countStrip(bed, own));
            }
            Count sum = new Count(0, 0);
            for (Future<Count> strip : divers.invokeAll(strips)) {
                sum = sum.plus(strip.get());
            }
            divers.shutdown();
            return sum;
        }

        void enter(Bed bed) throws Exception {
            Count count = count(bed);
            byClass.merge(count.oysters() / 50, 1, Integer::sum);
            pearls += count.pearls();
        }

        void close() {
        }
    }

    // The tide table of the day: decides nothing, but is printed with the survey.
    static double tide(int day) {
        double height = 0;
        for (int part = 1; part < 40; part++) {
            height += Math.cos(day * 0.2618 * part) / part;
        }
        return height;
    }

    public static void main(String[] args) throws Exception {
        int beds = Integer.parseInt(args[0]);
        Survey survey = new Survey();
        double tides = 0;
        for (int number = 0; number < beds; number++) {
            survey.enter(new Bed(number));
            tides += tide(number);
        }
        survey.close();
        System.out.printf("beds %d classes %s pearls %d tides %.3f%n", beds, survey.byClass, survey.pearls, tides);
    }
}
