import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;

/** Draws the first round of a tournament: players are ranked and paired across the middle. */
public final class Main {
    record Player(int number, String name, int rating) {}

    static final class Roster {
        private final List<Player> players = new LinkedList<>();

        void enter(Player player) {
            players.add(player);
        }

        void rank() {
            players.sort(Comparator.comparingInt(Player::rating).reversed().thenComparing(Player::name));
        }

        long pairings() {
            int half = players.size() / 2;
            long mark = 17;
            for (int seat = 0; seat < half; seat++) {
                Player upper = players.get(seat);
                Player lower = players.get(half + seat);
                mark = mark * 31 + gap(upper, lower);
            }
            return mark;
        }

        int strongest() {
            return players.get(0).rating();
        }
    }

    static int gap(Player upper, Player lower) {
        int distance = upper.rating() - lower.rating();
        return upper.name().charAt(0) == lower.name().charAt(0) ? distance + 1 : distance;
    }

    static String name(long state) {
        StringBuilder out = new StringBuilder();
        for (int place = 0; place < 7; place++) {
            out.append((char) ('a' + (state >>> (place * 5) & 31) % 26));
        }
        return out.toString();
    }

    static Roster entries(int count) {
        Roster roster = new Roster();
        long state = 2024;
        for (int number = 0; number < count; number++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            roster.enter(new Player(number, name(state >>> 20), 800 + (int) (state >>> 40) % 1900));
        }
        return roster;
    }

    /** Plays the expected scores out many times, to tell how open the tournament is. */
    static double openness(int rounds) {
        double sum = 0;
        for (int round = 1; round <= rounds; round++) {
            double distance = (round * 37L % 800) / 400.0;
            sum += 1 / (1 + Math.pow(10, distance)) / rounds;
        }
        return sum;
    }

    static final class Pulse extends Thread {
        long beats;
        volatile boolean over;

        Pulse() {
            super("pulse");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!over) {
                for (int step = 0; step < 2_000_000; step++) {
                    beats = beats * 31 + step;
                }
                try {
                    Thread.sleep(4);
                } catch (InterruptedException stop) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 30000;
        Pulse pulse = new Pulse();
        pulse.start();
        Roster roster = entries(count);
        roster.rank();
        long mark = roster.pairings();
        double open = openness(4_000_000);
        pulse.over = true;
        System.out.printf("players %d strongest %d mark %x open %.6f%n", count, roster.strongest(), mark, open);
    }
}
