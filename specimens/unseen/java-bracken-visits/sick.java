import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;

/** Follows the visitors of a web shop through their pages and reports what they did. */
final class Main {
    enum Step { OPEN, LOOK, BASKET, PAY, LEAVE, LAPSE }

    /** One line of the shop's log. */
    record Event(long visitor, Step step, int page, int cents) {
        static Event parse(String line) {
            String[] parts = line.split(";");
            return new Event(Long.parseLong(parts[0]), Step.valueOf(parts[1]), Integer.parseInt(parts[2]),
                    Integer.parseInt(parts[3]));
        }
    }

    /** One page that a visitor looked at. */
    record Look(int page, String path, long at) {
    }

    /** What is known of one visitor. */
    static final class Visit {
        final long visitor;
        final List<Look> trail = new ArrayList<>();
        int basket;
        boolean over;

        Visit(long visitor) {
            this.visitor = visitor;
        }

        void look(int page, long at) {
            trail.add(new Look(page, "/shop/" + page % 90 + "/item-" + page, at));
        }

        int depth() {
            int pages = 0;
            int last = -1;
            for (Look look : trail) {
                if (look.page() != last) {
                    pages++;
                }
                last = look.page();
            }
            return pages;
        }
    }

    /** Where events come from: some visitors at a time, each for a few steps. */
    static final class Shop {
        private static final Step[] ENDS = {Step.PAY, Step.LEAVE, Step.LAPSE};

        private final Deque<long[]> inside = new ArrayDeque<>();
        private final int visitors;
        private long next;
        private long seed = 11;

        Shop(int visitors) {
            this.visitors = visitors;
        }

        private int roll(int below) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            return (int) ((seed >>> 33) % below);
        }

        private static String line(long visitor, Step step, int page, int cents) {
            return visitor + ";" + step + ";" + page + ";" + cents;
        }

        String next() {
            if (inside.size() < 500 && next < visitors) {
                inside.addLast(new long[] {next, 8 + roll(8)});
                return line(next++, Step.OPEN, 0, 0);
            }
            long[] one = inside.pollFirst();
            if (one == null) {
                return null;
            }
            if (one[1]-- == 0) {
                return line(one[0], ENDS[roll(ENDS.length)], 0, 0);
            }
            inside.addLast(one);
            return line(one[0], roll(4) == 0 ? Step.BASKET : Step.LOOK, roll(20000), 100 + roll(5000));
        }
    }

    /** The visits, by visitor. */
    static final class Tracker {
        private final Map<Long, Visit> visits = new HashMap<>();
        private final Map<Integer, Integer> depths = new LinkedHashMap<>();
        private final CRC32 mark = new CRC32();
        private long clock;
        private long sales;
        private int closed;

        void take(Event event) {
            clock++;
            switch (event.step()) {
                case OPEN -> visits.put(event.visitor(), new Visit(event.visitor()));
                case LOOK -> visits.get(event.visitor()).look(event.page(), clock);
                case BASKET -> {
                    Visit visit = visits.get(event.visitor());
                    visit.look(event.page(), clock);
                    visit.basket += event.cents();
                }
                case PAY -> {
                    sales += visits.get(event.visitor()).basket;
                    close(event.visitor());
                }
                case LEAVE -> close(event.visitor());
                default -> lapse(event.visitor());
            }
        }

        private void close(long visitor) {
            count(visits.remove(visitor));
        }

        private void lapse(long visitor) {
            Visit visit = visits.get(visitor);
            visit.over = true;
            count(visit);
        }

        private void count(Visit visit) {
            closed++;
            depths.merge(visit.depth(), 1, Integer::sum);
            mark.update((int) (visit.basket ^ visit.visitor));
        }

        String summary() {
            int most = depths.values().stream().mapToInt(Integer::intValue).max().orElse(0);
            return String.format(Locale.ROOT, "%d visits, sales %d, most alike %d, %08x", closed, sales, most,
                    mark.getValue());
        }
    }

    public static void main(String[] args) {
        Shop shop = new Shop(Integer.parseInt(args[0]));
        Tracker tracker = new Tracker();
        for (String line = shop.next(); line != null; line = shop.next()) {
            tracker.take(Event.parse(line));
        }
        System.out.println(tracker.summary());
    }
}
