import java.util.ArrayList;
import java.util.List;
import org.apache.commons.collections4.set.ListOrderedSet;

/** Checks the rings that were read in an aviary tonight against those of last night, in the order they were first seen. */
public final class Sick {
    static List<String> rings(int count, int step) {
        List<String> rings = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            rings.add("ring " + (number * (long) step) % 1000003);
        }
        return rings;
    }

    static ListOrderedSet<String> known(List<String> evening) {
        ListOrderedSet<String> known = new ListOrderedSet<>();
        known.addAll(evening);
        return known;
    }

    static ListOrderedSet<String> stayed(ListOrderedSet<String> known, List<String> tonight) {
        known.retainAll(tonight);
        return known;
    }

    public static void main(String[] arguments) {
        int birds = Integer.parseInt(arguments[0]);
        List<String> tonight = rings(birds * 2, 37);
        ListOrderedSet<String> stayed = stayed(known(rings(birds, 74)), tonight);
        System.out.println(stayed.size() + " birds stayed, from " + stayed.get(0) + " to " + stayed.get(stayed.size() - 1));
    }
}
