import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Rolls page views up into visits: how long each lasted, what it weighed, which page came last. */
class Main {
    private static final int LONGEST_VISIT = 48;
    private static final String[] PAGES = {
        "/", "/search", "/item", "/cart", "/checkout", "/account", "/help", "/stores"
    };

    static final class View {
        final long visitor;
        final String page;
        final String referrer;
        final int millis;
        final int bytes;

        View(long visitor, String page, String referrer, int millis, int bytes) {
            this.visitor = visitor;
            this.page = page;
            this.referrer = referrer;
            this.millis = millis;
            this.bytes = bytes;
        }
    }

    static final class Visit {
        private final List<View> views = new ArrayList<>();

        void add(View view) {
            views.add(view);
        }

        int count() {
            return views.size();
        }

        long bytes() {
            long sum = 0;
            for (View view : views) {
                sum += view.bytes;
            }
            return sum;
        }

        int slowest() {
            int most = 0;
            for (View view : views) {
                most = Math.max(most, view.millis);
            }
            return most;
        }

        int lastPage() {
            return views.get(views.size() - 1).page.hashCode();
        }
    }

    /** The stream of views as the edge delivers it: text lines in the order of arrival. */
    static final class Feed {
        private final SplittableRandom random = new SplittableRandom(2718);
        private final int visitors;
        private final StringBuilder line = new StringBuilder();

        Feed(int visitors) {
            this.visitors = visitors;
        }

        String next() {
            line.setLength(0);
            line.append(random.nextInt(visitors)).append('\t');
            line.append(PAGES[random.nextInt(PAGES.length)]).append('?').append(random.nextInt(100_000)).append('\t');
            line.append("https://partner-").append(random.nextInt(300)).append(".example/landing").append('\t');
            line.append(random.nextInt(4_000)).append('\t').append(random.nextInt(250_000));
            return line.toString();
        }
    }

    static View parse(String line) {
        int a = line.indexOf('\t');
        int b = line.indexOf('\t', a + 1);
        int c = line.indexOf('\t', b + 1);
        int d = line.indexOf('\t', c + 1);
        return new View(
            Long.parseLong(line, 0, a, 10),
            line.substring(a + 1, b),
            line.substring(b + 1, c),
            Integer.parseInt(line, c + 1, d, 10),
            Integer.parseInt(line, d + 1, line.length(), 10));
    }

    static final class Rollup {
        private final Map<Long, Visit> visits = new HashMap<>();
        private final long[] perPage = new long[PAGES.length];
        private long closed;
        private long bytes;
        private long slow;
        private int last;

        void take(View view) {
            Visit visit = visits.computeIfAbsent(view.visitor, key -> new Visit());
            visit.add(view);
            perPage[pageNumber(view.page)]++;
            if (visit.count() == LONGEST_VISIT) {
                visits.remove(view.visitor);
                close(visit);
            }
        }

        private void close(Visit visit) {
            closed++;
            bytes += visit.bytes();
            slow += visit.slowest();
            last = last * 31 + visit.lastPage();
        }

        private static int pageNumber(String page) {
            int mark = page.indexOf('?');
            for (int at = 0; at < PAGES.length; at++) {
                if (PAGES[at].length() == mark && page.startsWith(PAGES[at])) {
                    return at;
                }
            }
            throw new IllegalArgumentException(page);
        }

        String summary() {
            for (Visit visit : visits.values()) {
                close(visit);
            }
            int top = 0;
            for (int at = 1; at < perPage.length; at++) {
                if (perPage[at] > perPage[top]) {
                    top = at;
                }
            }
            return "visits=" + closed + " bytes=" + bytes + " slow=" + slow
                + " top=" + PAGES[top] + " seal=" + Integer.toHexString(last);
        }
    }

    public static void main(String[] args) {
        int lines = Integer.parseInt(args[0]);
        Feed feed = new Feed(8_000);
        Rollup rollup = new Rollup();
        for (int at = 0; at < lines; at++) {
            rollup.take(parse(feed.next()));
        }
        System.out.println(rollup.summary());
    }
}
