import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The visa window of a consulate: reads applications, checks their fields and counts what was granted. */
final class Main {
    private static final Pattern LINE = Pattern.compile("(\\d+)\\|([^|]*)\\|([^|]*)\\|([^|]*)");
    private static final Pattern PASSPORT = Pattern.compile("[A-Z]{1,2}\\d{6,7}");
    private static final Pattern PURPOSE = Pattern.compile(".* for .* at .* in .* until .*");
    private static final String[] WORDS = {"visit", "for", "study", "family", "at", "harvest", "in", "fair"};

    /** One application as it was handed in. */
    record Application(int number, String passport, String country, String purpose) {
        static Application parse(String line) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                return null;
            }
            return new Application(
                    Integer.parseInt(matcher.group(1)), matcher.group(2), matcher.group(3), matcher.group(4));
        }
    }

    /** What the clerk says. */
    enum Answer { GRANTED, PASSPORT, PURPOSE, UNREADABLE }

    /** Looks at one application after the other. */
    static final class Clerk {
        private final Map<Answer, Integer> answers = new TreeMap<>();
        private final Map<String, Integer> countries = new TreeMap<>();

        void take(String line) {
            Application application = Application.parse(line);
            Answer answer = application == null ? Answer.UNREADABLE : judge(application);
            answers.merge(answer, 1, Integer::sum);
            if (answer == Answer.GRANTED) {
                countries.merge(application.country(), days(application), Integer::sum);
            }
        }

        private Answer judge(Application application) {
            if (!PASSPORT.matcher(application.passport()).matches()) {
                return Answer.PASSPORT;
            }
            return complete(application.purpose()) ? Answer.GRANTED : Answer.PURPOSE;
        }

        /** Says what for, at whose house, in which town and until when. */
        private static boolean complete(String purpose) {
            return PURPOSE.matcher(purpose).matches();
        }

        private static int days(Application application) {
            int days = 14;
            for (int place = 0; place < application.purpose().length(); place++) {
                days = (days * 31 + application.purpose().charAt(place)) % 90;
            }
            return days + 1;
        }

        String report() {
            return answers + " " + countries;
        }
    }

    private static List<String> queue(int count) {
        List<String> lines = new ArrayList<>();
        int state = 1815;
        for (int number = 0; number < count; number++) {
            state = state * 1664525 + 1013904223;
            int draw = state >>> 8;
            StringBuilder purpose = new StringBuilder("I ask");
            int words = 90 + draw % 80;
            for (int word = 0; word < words; word++) {
                state = state * 1664525 + 1013904223;
                purpose.append(' ').append(WORDS[(state >>> 12) % WORDS.length]);
            }
            // Some forget the day of their departure.
            purpose.append(draw % 4 == 1 ? " soon" : " until day " + draw % 31);
            String passport = (char) ('A' + draw % 26) + Integer.toString(1000000 + draw % 800000);
            lines.add(number + "|" + (draw % 37 == 0 ? "lost" : passport) + "|" + "C" + draw % 7 + "|" + purpose);
        }
        return lines;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        Clerk clerk = new Clerk();
        for (String line : queue(count)) {
            clerk.take(line);
        }
        System.out.println(clerk.report());
    }
}
