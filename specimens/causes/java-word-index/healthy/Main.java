import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds the index of a long text: where does each word stand? */
public final class Main {
    static final int WORDS = 3001;

    static final class Places {
        private int[] places = new int[16];
        private int size;

        void add(int place) {
            if (size == places.length) {
                places = Arrays.copyOf(places, size * 3 / 2);
            }
            places[size++] = place;
        }

        int size() {
            return size;
        }

        int at(int number) {
            return places[number];
        }
    }

    static final class Index {
        private final Map<String, Places> words = new HashMap<>();

        void add(String word, int place) {
            words.computeIfAbsent(word, key -> new Places()).add(place);
        }

        /** The nearest distance between two words, walking both lists together. */
        int nearest(String one, String other) {
            Places left = words.get(one);
            Places right = words.get(other);
            int best = Integer.MAX_VALUE;
            int i = 0;
            int j = 0;
            while (i < left.size() && j < right.size()) {
                int distance = left.at(i) - right.at(j);
                best = Math.min(best, Math.abs(distance));
                if (distance < 0) {
                    i++;
                } else {
                    j++;
                }
            }
            return best;
        }

        int occurrences(String word) {
            Places places = words.get(word);
            return places == null ? 0 : places.size();
        }
    }

    static String[] vocabulary() {
        String[] out = new String[WORDS];
        for (int number = 0; number < WORDS; number++) {
            out[number] = Integer.toString(number * 7919 + 46656, 36);
        }
        return out;
    }

    static Index build(String[] vocabulary, int length) {
        Index index = new Index();
        long state = 4;
        for (int place = 0; place < length; place++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int draw = (int) (state >>> 34);
            // Some words are far more frequent than others.
            int word = draw % 3 == 0 ? draw % 40 : draw % WORDS;
            index.add(vocabulary[word], place);
        }
        return index;
    }

    static long questions(Index index, String[] vocabulary) {
        long mark = 7;
        for (int number = 0; number < 4000; number++) {
            String one = vocabulary[number * 37 % WORDS];
            String other = vocabulary[number * 101 % WORDS];
            mark = mark * 31 + index.nearest(one, other) + index.occurrences(one);
        }
        return mark;
    }

    public static void main(String[] args) {
        int length = args.length > 0 ? Integer.parseInt(args[0]) : 1150000;
        String[] vocabulary = vocabulary();
        long mark = 1;
        for (int edition = 0; edition < 3; edition++) {
            Index index = build(vocabulary, length + edition);
            mark = mark * 1000003 + questions(index, vocabulary);
        }
        System.out.println("length " + length + " mark " + Long.toHexString(mark));
    }
}
