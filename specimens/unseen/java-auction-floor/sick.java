import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An auction with many lots and several bidders that bid at the same time. */
class Main {
    static final class Lot {
        long best;
        long bids;
        long seals;
    }

    static final class House {
        private final List<Lot> lots = new ArrayList<>();

        House(int count) {
            for (int n = 0; n < count; n++) {
                lots.add(new Lot());
            }
        }

        private long seal(int bidder, int number, long amount) {
            long value = amount * 0x9E3779B97F4A7C15L + bidder;
            for (int round = 0; round < 900; round++) {
                value ^= value >>> 29;
                value *= 0xBF58476D1CE4E5B9L + number;
                value = Long.rotateLeft(value, 17);
            }
            return value & 0xFFFF;
        }

        synchronized boolean place(int bidder, int number, long amount) {
            Lot lot = lots.get(number);
            lot.bids++;
            lot.seals += seal(bidder, number, amount);
            if (amount <= lot.best) {
                return false;
            }
            lot.best = amount;
            return true;
        }

        String result() {
            long best = 0;
            long bids = 0;
            long seals = 0;
            for (Lot lot : lots) {
                best += lot.best;
                bids += lot.bids;
                seals += lot.seals;
            }
            return "bids " + bids + " turnover " + best + " seals " + seals;
        }
    }

    static final class Bidder implements Runnable {
        private final House house;
        private final int number;
        private final int count;

        Bidder(House house, int number, int count) {
            this.house = house;
            this.number = number;
            this.count = count;
        }

        long budget(int round) {
            long value = number * 7919L + round;
            for (int k = 0; k < 30; k++) {
                value = value * 6364136223846793005L + 1442695040888963407L;
            }
            return (value >>> 40) % 100000;
        }

        @Override
        public void run() {
            for (int round = 0; round < count; round++) {
                house.place(number, (round * 13 + number * 7) % 64, budget(round));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        House house = new House(64);
        AtomicInteger reminders = new AtomicInteger();
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
        clock.scheduleAtFixedRate(reminders::incrementAndGet, 40, 40, TimeUnit.MILLISECONDS);
        ExecutorService floor = Executors.newFixedThreadPool(8);
        List<Future<?>> bidders = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            bidders.add(floor.submit(new Bidder(house, n, count)));
        }
        for (Future<?> bidder : bidders) {
            bidder.get();
        }
        floor.shutdown();
        clock.shutdownNow();
        System.out.println(house.result());
    }
}
