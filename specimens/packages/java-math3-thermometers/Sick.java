import java.util.Locale;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/** Follows the thermometers of a greenhouse and counts the readings that lie far from all those before. */
public final class Sick {
    private final DescriptiveStatistics before = new DescriptiveStatistics();
    private int odd;

    static double reading(int minute) {
        double day = 18 + 6 * Math.sin(minute / 229.0);
        return day + minute * 7919L % 101 / 40.0 + (minute % 997 == 3 ? 25 : 0);
    }

    void take(double degrees) {
        if (before.getN() > 30 && Math.abs(degrees - before.getMean()) > 3 * before.getStandardDeviation()) {
            odd++;
        }
        before.addValue(degrees);
    }

    public static void main(String[] arguments) {
        int minutes = Integer.parseInt(arguments[0]);
        Sick greenhouse = new Sick();
        for (int minute = 0; minute < minutes; minute++) {
            greenhouse.take(reading(minute));
        }
        double mean = greenhouse.before.getMean();
        System.out.println(String.format(Locale.ROOT, "%d readings, %d odd, mean %.3f", minutes, greenhouse.odd, mean));
    }
}
