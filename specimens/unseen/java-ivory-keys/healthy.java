import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sheets about pianos: columns are named in a layout and filled from the instruments' own getters. */
final class Main {
    /** What every instrument of the house has. */
    public static class Instrument {
        private final int number;
        private final int year;

        Instrument(int number, int year) {
            this.number = number;
            this.year = year;
        }

        public int getNumber() {
            return number;
        }

        public int getYear() {
            return year;
        }

        public int getAge() {
            return 2025 - year;
        }
    }

    /** A piano with its keys. */
    public static final class Piano extends Instrument {
        private final int keys;
        private final int hammers;
        private final long pence;

        Piano(int number, int year, int keys, int hammers, long pence) {
            super(number, year);
            this.keys = keys;
            this.hammers = hammers;
            this.pence = pence;
        }

        public int getKeys() {
            return keys;
        }

        public int getHammers() {
            return hammers;
        }

        public long getPence() {
            return pence;
        }

        public long getTax() {
            return pence * 19 / 119;
        }

        public int getWear() {
            int wear = keys;
            for (int played = 0; played < 20; played++) {
                wear = (wear * 7 + hammers + played) % 101;
            }
            return wear;
        }
    }

    /** Reads a property of an object by its name. */
    static final class Reader {
        private final Map<String, Long> sums = new TreeMap<>();
        private final Map<Class<?>, Map<String, Method>> getters = new HashMap<>();

        long read(Object object, String column) {
            try {
                Class<?> type = object.getClass();
                Method getter = getters.computeIfAbsent(type, any -> new HashMap<>())
                        .computeIfAbsent(column, name -> getter(type, name));
                long value = ((Number) getter.invoke(object)).longValue();
                sums.merge(column, value, Long::sum);
                return value;
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(column, e);
            }
        }

        private Method getter(Class<?> type, String column) {
            String name = "get" + column.substring(0, 1).toUpperCase(Locale.ROOT) + column.substring(1);
            for (Method method : type.getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    return method;
                }
            }
            throw new IllegalArgumentException("no column " + column);
        }
    }

    /** Lines of fixed columns. */
    static final class Sheet {
        private static final String[] LAYOUT = {"number", "age", "keys", "hammers", "wear", "pence", "tax"};
        private final Reader reader = new Reader();
        private final StringBuilder page = new StringBuilder();
        private long letters;

        void add(Piano piano) {
            for (String column : LAYOUT) {
                page.append(reader.read(piano, column)).append('\t');
            }
            page.append('\n');
            if (page.length() > 8000) {
                turn();
            }
        }

        void turn() {
            letters += page.length();
            page.setLength(0);
        }
    }

    private static List<Piano> workshop(int count) {
        List<Piano> pianos = new ArrayList<>();
        int state = 1709;
        for (int number = 0; number < count; number++) {
            state = state * 1664525 + 1013904223;
            int draw = state >>> 8;
            int keys = draw % 9 == 0 ? 85 : 88;
            pianos.add(new Piano(number, 1880 + draw % 140, keys, keys - draw % 3, 90_000 + draw % 4_000_000));
        }
        return pianos;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Sheet sheet = new Sheet();
        for (Piano piano : workshop(count)) {
            sheet.add(piano);
        }
        sheet.turn();
        System.out.println(sheet.letters + " letters " + sheet.reader.sums);
    }
}
