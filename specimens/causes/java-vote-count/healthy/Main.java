import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/** Counts ballots of many districts with four threads. */
public final class Main {
    static final int CHOICES = 64;

    static final class Tally {
        private final long[] votes = new long[CHOICES];
        private long spoiled;

        void count(long ballot) {
            int choice = choice(ballot);
            if (choice < 0) {
                spoiled++;
            } else {
                votes[choice]++;
            }
        }

        synchronized void add(Tally other) {
            for (int choice = 0; choice < CHOICES; choice++) {
                votes[choice] += other.votes[choice];
            }
            spoiled += other.spoiled;
        }

        long mark() {
            long mark = spoiled;
            for (long count : votes) {
                mark = mark * 1000003 + count;
            }
            return mark;
        }
    }

    /** The choice on a ballot, or -1 where its seal is broken. */
    static int choice(long ballot) {
        long seal = ballot;
        for (int round = 0; round < 300; round++) {
            seal ^= seal >>> 27;
            seal *= 0x94D049BB133111EBL;
            seal = Long.rotateLeft(seal, 11);
        }
        if ((seal & 0xFF) == 0) {
            return -1;
        }
        return (int) (ballot >>> 40 & CHOICES - 1);
    }

    static final class District extends Thread {
        private final Tally tally;
        private final int number;
        private final int ballots;

        District(Tally tally, int number, int ballots) {
            super("district-" + number);
            this.tally = tally;
            this.number = number;
            this.ballots = ballots;
        }

        @Override
        public void run() {
            Tally own = new Tally();
            long state = number * 7919L + 1;
            for (int place = 0; place < ballots; place++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                own.count(state);
            }
            tally.add(own);
        }
    }

    /** Would take complaints; none come. */
    static final class Clerk extends Thread {
        final LinkedBlockingQueue<String> desk = new LinkedBlockingQueue<>();

        Clerk() {
            super("clerk");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!desk.take().isEmpty()) {
                    Thread.onSpinWait();
                }
            } catch (InterruptedException stop) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int ballots = args.length > 0 ? Integer.parseInt(args[0]) : 2400000;
        Clerk clerk = new Clerk();
        clerk.start();
        Tally tally = new Tally();
        List<District> districts = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            District district = new District(tally, number, ballots);
            districts.add(district);
            district.start();
        }
        for (District district : districts) {
            district.join();
        }
        clerk.desk.put("");
        System.out.println("ballots " + 4L * ballots + " spoiled " + tally.spoiled + " mark " + Long.toHexString(tally.mark()));
    }
}
