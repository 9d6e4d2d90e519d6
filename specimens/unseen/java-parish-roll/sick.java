// Reads the rolls of a parish: names, places and now and then a year, in any order.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Main {
    static class Roll {
        private final Map<Integer, Integer> years = new HashMap<>();
        private long words;
        private long kinship = 7;

        int year(String field) {
            try {
                return Integer.parseInt(field);
            } catch (NumberFormatException error) {
                return -1;
            }
        }

        void enter(String field) {
            int year = year(field);
            if (year > 0) {
                years.merge(year, 1, Integer::sum);
                return;
            }
            words++;
            for (int at = 0; at < field.length(); at++) {
                kinship = kinship * 33 + field.charAt(at);
            }
        }

        void read(List<String> lines, int depth) {
            // Rolls are bound in books, books in shelves: the reader goes down one by one.
            if (depth > 0) {
                read(lines, depth - 1);
                return;
            }
            for (String line : lines) {
                for (String field : line.split(",")) {
                    enter(field);
                }
            }
        }

        String summary() {
            int best = 0;
            for (Map.Entry<Integer, Integer> entry : years.entrySet()) {
                boolean more = best == 0 || entry.getValue() > years.get(best);
                boolean earlier = best != 0 && entry.getValue().equals(years.get(best)) && entry.getKey() < best;
                if (more || earlier) {
                    best = entry.getKey();
                }
            }
            return years.size() + " years, most in " + best + ", " + words + " words, " + Long.toHexString(kinship);
        }
    }

    static class Clerk {
        private static final String[] NAMES = {"Agnes", "Bartram", "Cuthbert", "Dorothy", "Emma"};
        private static final String[] PLACES = {"mill", "bridge", "upper farm", "smithy"};
        private int state = 1538;

        private int draw(int below) {
            state = state * 1103515245 + 12345;
            return (state >>> 12) % below;
        }

        String line() {
            StringBuilder line = new StringBuilder();
            for (int field = 0; field < 6; field++) {
                if (field > 0) {
                    line.append(',');
                }
                switch (draw(5)) {
                    case 0 -> line.append(1500 + draw(300));
                    case 1, 2 -> line.append(NAMES[draw(NAMES.length)]);
                    default -> line.append(PLACES[draw(PLACES.length)]);
                }
            }
            return line.toString();
        }
    }

    public static void main(String[] arguments) {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        Clerk clerk = new Clerk();
        Roll roll = new Roll();
        List<String> lines = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            lines.add(clerk.line());
        }
        roll.read(lines, 24);
        System.out.println(roll.summary());
    }
}
