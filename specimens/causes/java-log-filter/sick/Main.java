import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Sorts the lines of a system log into folders by a list of rules. */
public final class Main {
    static final String[] UNITS = {"kernel", "sshd", "cron", "mail", "backup", "printer"};
    static final String[] WHAT = {"started", "stopped", "failed with code 7", "accepted key for admin", "rotated 12 files"};

    static final class Rule {
        final String folder;
        final String pattern;
        int hits;

        Rule(String folder, String pattern) {
            this.folder = folder;
            this.pattern = pattern;
        }

        boolean matches(String line) {
            return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(line).find();
        }
    }

    static List<Rule> rules() {
        List<Rule> out = new ArrayList<>();
        out.add(new Rule("alarms", "\\b(?:failed|refused|denied) (?:with|for|by) (?:code )?[0-9]{1,3}\\b"));
        out.add(new Rule("logins", "(?:sshd|login)\\[[0-9]+\\]: accepted (?:key|password) for ([a-z_][a-z0-9_-]{0,30})"));
        out.add(new Rule("storage", "(?:backup|rotat(?:ed|ing)) .*?(?:[0-9]+) (?:files?|bytes|blocks)"));
        out.add(new Rule("paper", "printer\\[[0-9]+\\]: (?:started|stopped|out of (?:paper|toner))"));
        return out;
    }

    static String line(long state) {
        int draw = (int) (state >>> 34);
        return "Mar " + (1 + draw % 28) + " host" + draw % 12 + " " + UNITS[draw % UNITS.length] + "[" + draw % 9999 + "]: "
                + WHAT[(draw >> 5) % WHAT.length];
    }

    static String folder(List<Rule> rules, String line) {
        for (Rule rule : rules) {
            if (rule.matches(line)) {
                rule.hits++;
                return rule.folder;
            }
        }
        return "other";
    }

    static String squeezed(String line) {
        StringBuilder out = new StringBuilder();
        char last = 0;
        for (int place = 0; place < line.length(); place++) {
            char letter = line.charAt(place);
            if (!Character.isDigit(letter) || letter != last) {
                out.append(letter);
            }
            last = letter;
        }
        return out.toString();
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 60000;
        List<Rule> rules = rules();
        Map<String, CRC32> folders = new TreeMap<>();
        Map<String, Integer> sizes = new TreeMap<>();
        long state = 11;
        for (int number = 0; number < count; number++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            String line = line(state);
            String folder = folder(rules, line);
            folders.computeIfAbsent(folder, name -> new CRC32()).update(squeezed(line).getBytes());
            sizes.merge(folder, 1, Integer::sum);
        }
        folders.forEach((name, check) -> System.out.println(name + " " + sizes.get(name) + " " + Long.toHexString(check.getValue())));
    }
}
