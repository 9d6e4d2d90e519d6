import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;

/** Reads the nested stock lists of opal traders and sorts the stones by worth. */
final class Main {
    interface Node {
        long worth(Grader grader);
    }

    record Stone(Object mark, int carats) implements Node {
        @Override
        public long worth(Grader grader) {
            return grader.grade(mark) * carats;
        }
    }

    record Box(List<Node> content) implements Node {
        @Override
        public long worth(Grader grader) {
            long sum = 0;
            for (Node node : content) {
                sum += node.worth(grader);
            }
            return sum;
        }
    }

    static final class Grader {
        private final Map<String, Integer> words = new HashMap<>();

        Grader() {
            String[] names = {"black", "boulder", "crystal", "fire", "milk", "matrix"};
            for (int i = 0; i < names.length; i++) {
                words.put(names[i], 11 * (i + 2));
            }
        }

        long grade(Object mark) {
            return mark instanceof Integer number ? number % 90 : words.getOrDefault((String) mark, 5);
        }
    }

    /** list := '(' (list | mark ':' carats ' ')* ')' */
    static final class Reader {
        private final String text;
        private final Function<String, Object> scalar;
        private int place;

        Reader(String text, Function<String, Object> scalar) {
            this.text = text;
            this.scalar = scalar;
        }

        Node list() {
            List<Node> content = new ArrayList<>();
            place++;
            while (text.charAt(place) != ')') {
                content.add(text.charAt(place) == '(' ? list() : stone());
            }
            place++;
            return new Box(content);
        }

        private Node stone() {
            int colon = text.indexOf(':', place);
            int blank = text.indexOf(' ', colon);
            Object mark = scalar.apply(text.substring(place, colon));
            int carats = Integer.parseInt(text, colon + 1, blank, 10);
            place = blank + 1;
            return new Stone(mark, carats);
        }
    }

    static Object markOf(String word) {
        try {
            return Integer.valueOf(word);
        } catch (NumberFormatException e) {
            return word;
        }
    }

    static String stockList(int seed, int depth, int stones) {
        String[] names = {"black", "boulder", "crystal", "fire", "milk", "matrix", "potch"};
        StringBuilder out = new StringBuilder();
        int state = seed * 7919 + 1;
        for (int level = 0; level < depth; level++) {
            out.append('(');
            for (int i = 0; i < stones; i++) {
                state = state * 1103515245 + 12345;
                int pick = state >>> 16;
                if (pick % 5 == 0) {
                    out.append(pick % 1000);
                } else {
                    out.append(names[pick % names.length]);
                }
                out.append(':').append(pick % 13 + 1).append(' ');
            }
        }
        return out.append(")".repeat(depth)).toString();
    }

    static long checksum(String text) {
        CRC32 crc = new CRC32();
        for (int i = 0; i < text.length(); i++) {
            crc.update(text.charAt(i));
        }
        return crc.getValue();
    }

    public static void main(String[] args) {
        int lists = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Grader grader = new Grader();
        long worth = 0;
        long check = 0;
        for (int i = 0; i < lists; i++) {
            String text = stockList(i, 90, 6);
            check ^= checksum(text) + i;
            worth += new Reader(text, Main::markOf).list().worth(grader);
        }
        System.out.println("worth " + worth + " check " + check);
    }
}
