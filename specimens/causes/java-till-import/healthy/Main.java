import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Imports the export of a till system whose columns are typed by what stands in them. */
public final class Main {
    static final String[] NAMES = {"coffee", "tea", "cake", "juice", "soup", "12b", "7up", "roll"};

    static List<String> lines(int count) {
        List<String> out = new ArrayList<>();
        long state = 31;
        for (int number = 0; number < count; number++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int draw = (int) (state >>> 34);
            out.add(draw % 40 + ";" + NAMES[draw % NAMES.length] + ";till-" + draw % 9 + ";"
                    + (draw % 3 == 0 ? "n/a" : Integer.toString(draw % 900)) + ";" + draw % 28 + ".03.2024;" + draw % 2000);
        }
        return out;
    }

    /** The value of a text that is a whole number, else null. */
    static Integer number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return null;
        }
        for (int place = 0; place < text.length(); place++) {
            if (text.charAt(place) < '0' || text.charAt(place) > '9') {
                return null;
            }
        }
        return Integer.valueOf(text);
    }

    static Object field(String text) {
        Integer whole = number(text);
        return whole != null ? whole : text;
    }

    static List<Object> parsed(String line) {
        List<Object> out = new ArrayList<>();
        int begin = 0;
        while (begin <= line.length()) {
            int end = line.indexOf(';', begin);
            if (end < 0) {
                end = line.length();
            }
            out.add(field(line.substring(begin, end)));
            begin = end + 1;
        }
        return out;
    }

    static final class Sums {
        final Map<String, Long> byName = new TreeMap<>();
        final Map<Object, Integer> byDay = new HashMap<>();
        long whole;
        long texts;

        void add(List<Object> row) {
            for (Object value : row) {
                if (value instanceof Integer) {
                    whole++;
                } else {
                    texts++;
                }
            }
            String name = row.get(1).toString();
            long cents = row.get(3) instanceof Integer price ? price : 0;
            byName.merge(name, cents, Long::sum);
            byDay.merge(row.get(4), 1, Integer::sum);
        }
    }

    /** A smoothed series of the sums, to be drawn on the wall. */
    static long curve(Sums sums, int steps) {
        double level = 0;
        long mark = 5;
        Object[] days = sums.byDay.values().toArray();
        java.util.Arrays.sort(days);
        for (int step = 0; step < steps; step++) {
            level += ((Integer) days[step % days.length] - level) * 0.03;
            mark = mark * 31 + (long) level;
        }
        return mark;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 120000;
        Sums sums = new Sums();
        for (String line : lines(count)) {
            sums.add(parsed(line));
        }
        System.out.println(sums.byName);
        System.out.println("whole " + sums.whole + " texts " + sums.texts + " days " + sums.byDay.size());
        System.out.println("curve " + Long.toHexString(curve(sums, 6_000_000)));
    }
}
