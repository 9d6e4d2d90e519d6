import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Prints the ledger of a club: entries by account, with running balances. */
public final class Main {
    record Entry(int day, String account, String text, long cents) {}

    static final String[] ACCOUNTS = {"bank", "cash", "dues", "rent", "sport", "youth"};
    static final String[] TEXTS = {"membership", "hall", "balls", "bus trip", "insurance", "gift", "repair"};

    static List<Entry> entries(int count) {
        long state = 99;
        List<Entry> out = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int draw = (int) (state >>> 33);
            String account = ACCOUNTS[draw % ACCOUNTS.length];
            String text = TEXTS[(draw >> 4) % TEXTS.length];
            out.add(new Entry(draw % 365, account, text, draw % 90000 - 30000));
        }
        return out;
    }

    static final class Ledger {
        private final Map<String, List<Entry>> accounts = new TreeMap<>();

        void book(Entry entry) {
            accounts.computeIfAbsent(entry.account(), name -> new ArrayList<>()).add(entry);
        }

        String page(String account) {
            List<Entry> sorted = new ArrayList<>(accounts.get(account));
            sorted.sort(Comparator.comparingInt(Entry::day).thenComparing(Entry::text).thenComparingLong(Entry::cents));
            long balance = 0;
            String text = account + "\n";
            for (Entry entry : sorted) {
                balance += entry.cents();
                text += line(entry, balance);
            }
            return text;
        }

        List<String> pages() {
            List<String> out = new ArrayList<>();
            for (String account : accounts.keySet()) {
                out.add(page(account));
            }
            return out;
        }
    }

    static String amount(long cents) {
        String sign = cents < 0 ? "-" : " ";
        long value = Math.abs(cents);
        return sign + value / 100 + "." + (value % 100 < 10 ? "0" : "") + value % 100;
    }

    static String line(Entry entry, long balance) {
        return String.format("%3d  %-12s %12s %14s%n", entry.day(), entry.text(), amount(entry.cents()), amount(balance));
    }

    static long words(String page) {
        long count = 0;
        boolean inside = false;
        for (int place = 0; place < page.length(); place++) {
            boolean letter = page.charAt(place) > ' ';
            if (letter && !inside) {
                count++;
            }
            inside = letter;
        }
        return count;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 22000;
        Ledger ledger = new Ledger();
        for (Entry entry : entries(count)) {
            ledger.book(entry);
        }
        CRC32 check = new CRC32();
        long words = 0;
        for (String page : ledger.pages()) {
            check.update(page.getBytes());
            words += words(page);
        }
        System.out.println("entries " + count + " words " + words + " check " + Long.toHexString(check.getValue()));
    }
}
