import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cleans the scanned memos of a heraldic office and counts what they speak of. */
final class Main {
    private static final Pattern HYPHEN = Pattern.compile("(\\p{L})-\\n(\\p{Ll})");
    private static final Pattern DATE = Pattern.compile("\\b(\\d{1,2})\\.(\\d{1,2})\\.(1[89]\\d\\d)\\b");
    private static final Pattern TAIL = Pattern.compile("(?<![\\s\\u00a0\\u2007])[\\s\\u00a0\\u2007]+$");
    private static final Pattern RULED = Pattern.compile("_{3,}|-{4,}");
    private static final Pattern WORD = Pattern.compile("\\p{L}{4,}");

    /** One scanned page. */
    record Memo(int number, String text) {
    }

    /** A page after cleaning, with its words. */
    record Clean(int number, String text, Map<String, Integer> words) {
    }

    /** The steps that each page goes through. */
    static final class Cleaner {
        private final List<UnaryOperator<String>> steps = new ArrayList<>();

        Cleaner() {
            steps.add(Cleaner::joined);
            steps.add(Cleaner::dated);
            steps.add(Cleaner::tailed);
            steps.add(Cleaner::unruled);
        }

        private static String joined(String text) {
            return HYPHEN.matcher(text).replaceAll("$1$2");
        }

        private static String dated(String text) {
            return DATE.matcher(text).replaceAll(found ->
                    found.group(3) + "-" + two(found.group(2)) + "-" + two(found.group(1)));
        }

        private static String two(String number) {
            return number.length() < 2 ? "0" + number : number;
        }

        private static String tailed(String text) {
            return TAIL.matcher(text).replaceAll("");
        }

        private static String unruled(String text) {
            return RULED.matcher(text).replaceAll("~");
        }

        private static Map<String, Integer> words(String text) {
            Map<String, Integer> words = new LinkedHashMap<>();
            Matcher found = WORD.matcher(text);
            while (found.find()) {
                words.merge(found.group(), 1, Integer::sum);
            }
            return words;
        }

        Clean clean(Memo memo) {
            String text = memo.text();
            for (UnaryOperator<String> step : steps) {
                text = step.apply(text);
            }
            return new Clean(memo.number(), text, words(text));
        }
    }

    /** The scanner: pages with columns, as far apart as they stood on the paper. */
    static final class Scanner {
        private static final String[] WORDS = {"lion", "rampant", "azure", "chief", "bend", "gules", "mullet",
            "argent", "chevron", "sable", "fess", "quarter", "crest", "mantling", "supporter"};
        private int state = 4711;

        private int roll(int limit) {
            state = state * 1664525 + 1013904223;
            return (state >>> 10) % limit;
        }

        Memo scan(int number) {
            StringBuilder page = new StringBuilder(9000);
            for (int line = 0; line < 60; line++) {
                for (int word = 0; word < 7; word++) {
                    page.append(WORDS[roll(WORDS.length)]).append(' ');
                }
                if (roll(5) == 0) {
                    page.append(1 + roll(28)).append('.').append(1 + roll(12)).append(".18").append(10 + roll(90));
                }
                page.append(roll(9) == 0 ? "________" : roll(6) == 0 ? "shi-\neld" : "");
                page.append('\n');
                if (line % 20 == 7) {
                    page.append(" ".repeat(1100 + roll(500))).append("seal\n");
                }
            }
            return new Memo(number, page.append("\u00a0 \n\n").toString());
        }
    }

    private static List<Clean> work(List<Memo> memos) throws Exception {
        Cleaner cleaner = new Cleaner();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Clean>> tasks = new ArrayList<>();
            for (Memo memo : memos) {
                tasks.add(() -> cleaner.clean(memo));
            }
            List<Clean> done = new ArrayList<>();
            for (Future<Clean> task : pool.invokeAll(tasks)) {
                done.add(task.get());
            }
            return done;
        } finally {
            pool.shutdown();
        }
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Scanner scanner = new Scanner();
        List<Memo> memos = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            memos.add(scanner.scan(number));
        }
        long letters = 0;
        int words = 0;
        int hash = 7;
        for (Clean page : work(memos)) {
            letters += page.text().length();
            words += page.words().values().stream().mapToInt(Integer::intValue).sum();
            hash = hash * 31 + page.text().hashCode() + page.number();
        }
        System.out.println("memos " + count + " letters " + letters + " words " + words + " " + Integer.toHexString(hash));
    }
}
