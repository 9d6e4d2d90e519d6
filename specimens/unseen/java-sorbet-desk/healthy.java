import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32;

/** The front desk of an ice cream fair: who came, and what was tasted. */
final class Main {
    enum Flavour { LEMON, CASSIS, MANGO, PEAR, QUINCE }

    /** One tasting, as the stalls send it in. */
    record Tasting(String ticket, Flavour flavour, int spoons) {
    }

    /** Where tastings come from. */
    interface Feed {
        Tasting next();
    }

    /** The stalls of one day. */
    static final class Stalls implements Feed {
        private final int visitors;
        private int left;
        private int state = 20177;

        Stalls(int visitors, int tastings) {
            this.visitors = visitors;
            this.left = tastings;
        }

        @Override
        public Tasting next() {
            if (left-- <= 0) {
                return null;
            }
            state = state * 1664525 + 1013904223;
            int visitor = (state >>> 8) % visitors;
            Flavour flavour = Flavour.values()[(state >>> 4) % 5];
            return new Tasting("fair-" + Integer.toHexString(visitor * 40503 + 77), flavour, 1 + (state >>> 28));
        }
    }

    /** Somebody who wants to know about new visitors. */
    interface Greeter {
        void welcome(String ticket);
    }

    /** Writes the badge of a visitor. */
    static final class Badges implements Greeter {
        private final CRC32 sum = new CRC32();
        private long letters;

        @Override
        public void welcome(String ticket) {
            String text = String.format(Locale.ROOT, "[%-20s]", ticket.toUpperCase(Locale.ROOT));
            letters += text.length();
            sum.update(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
    }

    /** The register of the day; the board on the wall reads it at any time. */
    static final class Register {
        private final Set<String> present = ConcurrentHashMap.newKeySet();
        private final Map<Flavour, LongAdder> spoons = new ConcurrentHashMap<>();
        private final List<Greeter> greeters = new ArrayList<>();

        void greet(Greeter greeter) {
            greeters.add(greeter);
        }

        void enter(Tasting tasting) {
            spoons.computeIfAbsent(tasting.flavour(), any -> new LongAdder()).add(tasting.spoons());
            if (present.add(tasting.ticket())) {
                for (Greeter greeter : greeters) {
                    greeter.welcome(tasting.ticket());
                }
            }
        }

        int visitors() {
            return present.size();
        }

        Map<Flavour, Long> table() {
            Map<Flavour, Long> table = new EnumMap<>(Flavour.class);
            spoons.forEach((flavour, sum) -> table.put(flavour, sum.sum()));
            return table;
        }

        String favourite() {
            return table().entrySet().stream().max(Comparator.comparingLong(Map.Entry::getValue))
                    .map(entry -> entry.getKey() + " " + entry.getValue()).orElse("none");
        }
    }

    /** The board on the wall. */
    static final class Board implements Runnable {
        private final Register register;
        private volatile String shown = "";

        Board(Register register) {
            this.register = register;
        }

        @Override
        public void run() {
            shown = register.visitors() + " visitors, " + register.favourite();
        }
    }

    private static void day(Feed feed, Register register) {
        for (Tasting tasting = feed.next(); tasting != null; tasting = feed.next()) {
            register.enter(tasting);
        }
    }

    public static void main(String[] args) throws Exception {
        int visitors = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        Register register = new Register();
        Badges badges = new Badges();
        register.greet(badges);
        Board board = new Board(register);
        ScheduledExecutorService wall = Executors.newSingleThreadScheduledExecutor();
        wall.scheduleAtFixedRate(board, 20, 20, TimeUnit.MILLISECONDS);
        day(new Stalls(visitors, visitors * 4), register);
        wall.shutdown();
        wall.awaitTermination(5, TimeUnit.SECONDS);
        board.run();
        System.out.println(board.shown + ", badges " + badges.letters + " " + Long.toHexString(badges.sum.getValue()));
    }
}
