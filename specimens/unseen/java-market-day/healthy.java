// Plays the days of a market: customers come, queue at stalls, are served and leave; events go by their time.
import java.util.ArrayDeque;
import java.util.PriorityQueue;

class Main {
    static final int STALLS = 40;

    static final class Chance {
        private long state;

        Chance(long seed) {
            state = seed;
        }

        int below(int limit) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return (int) ((state >>> 1) % limit);
        }
    }

    record Event(long time, int order, int customer, int stall, boolean leaves) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Integer.compare(order, other.order);
        }
    }

    static final class Stall {
        final ArrayDeque<Integer> queue = new ArrayDeque<>();
        boolean busy;
        long sold;
        int longest;

        void join(int customer) {
            queue.add(customer);
            longest = Math.max(longest, queue.size());
        }
    }

    static final class Market {
        private final PriorityQueue<Event> events = new PriorityQueue<>(1024);
        private final Stall[] stalls = new Stall[STALLS];
        private final Chance chance = new Chance(88172645463325252L);
        private int order;
        private long now;
        private long seal = 17;

        Market() {
            for (int number = 0; number < STALLS; number++) {
                stalls[number] = new Stall();
            }
        }

        void add(long time, int customer, int stall, boolean leaves) {
            events.add(new Event(time, order++, customer, stall, leaves));
        }

        void serve(int number) {
            Stall stall = stalls[number];
            Integer customer = stall.queue.poll();
            if (customer == null) {
                stall.busy = false;
                return;
            }
            stall.busy = true;
            int seconds = 20 + chance.below(60);
            stall.sold += seconds / 7;
            add(now + seconds, customer, number, true);
        }

        void handle(Event event) {
            now = event.time();
            seal = seal * 31 + event.customer() + event.stall();
            if (event.leaves()) {
                serve(event.stall());
                if (chance.below(3) > 0) {
                    add(now + 30 + chance.below(200), event.customer(), chance.below(STALLS), false);
                }
                return;
            }
            Stall stall = stalls[event.stall()];
            stall.join(event.customer());
            if (!stall.busy) {
                serve(event.stall());
            }
        }

        void day(int customers) {
            for (int customer = 0; customer < customers; customer++) {
                add(now + chance.below(28800), customer, chance.below(STALLS), false);
            }
            while (!events.isEmpty()) {
                handle(events.poll());
            }
        }
    }

    public static void main(String[] args) {
        int days = Integer.parseInt(args[0]);
        Market market = new Market();
        for (int day = 0; day < days; day++) {
            market.day(12000);
        }
        long sold = 0;
        int longest = 0;
        for (Stall stall : market.stalls) {
            sold += stall.sold;
            longest = Math.max(longest, stall.longest);
        }
        System.out.println("days " + days + " sold " + sold + " longest " + longest + " seal " + Long.toHexString(market.seal));
    }
}
