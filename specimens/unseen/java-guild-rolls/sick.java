import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Compares the rolls of the guilds of several towns, year by year. */
final class Main {
    static final class Member {
        private final String name;
        private final int town;

        Member(String name, int town) {
            this.name = name;
            this.town = town;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Member that && town == that.town && name.equals(that.name);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, town);
        }

        int town() {
            return town;
        }
    }

    /** The rolls of one guild; those who left are struck off. */
    static class Roll {
        protected final Set<Member> members = new HashSet<>();

        void enter(Collection<Member> names) {
            members.addAll(names);
        }

        void strike(List<Member> left) {
            members.removeAll(left);
        }

        int size() {
            return members.size();
        }
    }

    static final class TownRoll extends Roll {
        private final TreeMap<Integer, Integer> byTown = new TreeMap<>();

        void count() {
            byTown.clear();
            for (Member member : members) {
                byTown.merge(member.town(), 1, Integer::sum);
            }
        }

        long mark() {
            long mark = 17;
            for (var entry : byTown.entrySet()) {
                mark = mark * 31 + entry.getKey() * 1009L + entry.getValue();
            }
            return mark;
        }
    }

    static Member member(int number) {
        return new Member("member-" + number * 7919 % 1_000_003, number % 23);
    }

    static List<Member> people(int from, int to) {
        return IntStream.range(from, to).mapToObj(Main::member).collect(Collectors.toCollection(ArrayList::new));
    }

    /** The dead of all guilds of the town, not of this one alone. */
    static List<Member> departed(int year, int size) {
        List<Member> gone = people(year * size / 4, year * size / 4 + size / 4);
        gone.addAll(people(3_000_000 + year * size, 3_000_000 + year * size + size));
        gone.sort(Comparator.comparingInt(Member::town));
        return gone;
    }

    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 800;
        TownRoll roll = new TownRoll();
        roll.enter(people(0, size));
        long mark = 0;
        for (int year = 0; year < 8; year++) {
            roll.strike(departed(year, size));
            roll.enter(people((year + 4) * size / 4, (year + 5) * size / 4));
            roll.count();
            mark = mark * 37 + roll.mark();
        }
        System.out.println("members " + roll.size() + " mark " + mark);
    }
}
