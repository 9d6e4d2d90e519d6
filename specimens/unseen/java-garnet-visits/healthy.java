import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;

/** Follows the visitors of a web shop from click to click and reports which paths lead to a purchase. */
class Main {
    record Click(long visitor, int page, long time) {}

    static final class Visit {
        final long visitor;
        final ArrayDeque<Integer> pages = new ArrayDeque<>();
        final Map<String, String> facts = new HashMap<>();
        long begun;
        long last;

        Visit(long visitor, long time) {
            this.visitor = visitor;
            begun = time;
            last = time;
            facts.put("entry", "page-" + visitor % 97);
            facts.put("agent", "agent/" + visitor % 13);
        }

        void step(Click click) {
            pages.addLast(click.page());
            if (pages.size() > 6) {
                pages.removeFirst();
            }
            last = click.time();
        }

        long fingerprint() {
            long value = visitor % 1000;
            for (int page : pages) {
                value = value * 131 + page;
            }
            return value;
        }
    }

    static final class Visits {
        private static final long IDLE = 30_000;
        private static final int ROOM = 290_000;
        private final LinkedHashMap<Long, Visit> open = new LinkedHashMap<>(1024, 0.75f, true);
        private long ended;

        Visit of(Click click) {
            Visit visit = open.get(click.visitor());
            if (visit != null && click.time() - visit.last > IDLE) {
                open.remove(click.visitor());
                ended++;
                visit = null;
            }
            if (visit == null) {
                visit = new Visit(click.visitor(), click.time());
                open.put(click.visitor(), visit);
                trim(click.time());
            }
            return visit;
        }

        private void trim(long now) {
            Iterator<Visit> oldest = open.values().iterator();
            while (oldest.hasNext() && spent(oldest.next(), now)) {
                oldest.remove();
                ended++;
            }
        }

        private boolean spent(Visit visit, long now) {
            return open.size() > ROOM || now - visit.last > IDLE;
        }

        long count() {
            return ended + open.size();
        }
    }

    static final class Shop {
        private final Visits visits = new Visits();
        private final long[] paths = new long[512];
        private long sales;
        private long mark;

        void take(Click click) {
            Visit visit = visits.of(click);
            visit.step(click);
            long path = visit.fingerprint();
            paths[(int) Math.floorMod(path, 512L)]++;
            if (click.page() == 42) {
                sales++;
                mark = mark * 31 + path;
            }
        }

        List<Integer> busiest(int count) {
            List<Integer> order = new ArrayList<>();
            for (int n = 0; n < paths.length; n++) {
                order.add(n);
            }
            order.sort((left, right) -> Long.compare(paths[right], paths[left]));
            return order.subList(0, count);
        }
    }

    static final class Stream {
        private long state = 20_24;
        private long time;

        private long draw(long below) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (state >>> 33) % below;
        }

        Click next() {
            time += draw(12);
            long visitor = time / 4_000 * 300 + draw(900);
            return new Click(visitor, (int) draw(300), time);
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        Shop shop = new Shop();
        Stream stream = new Stream();
        for (int n = 0; n < count; n++) {
            shop.take(stream.next());
        }
        System.out.printf("clicks %d visits %d sales %d mark %016x busiest %s%n", count, shop.visits.count(), shop.sales, shop.mark, shop.busiest(3));
    }
}
