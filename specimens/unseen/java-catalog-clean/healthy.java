import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Cleans the titles of a record shop's catalogue. */
class Main {
    static final Pattern YEAR = Pattern.compile("\\b(19|20)\\d\\d\\b");

    static final class Rules {
        private final List<String[]> rules = new ArrayList<>();

        Rules() {
            for (String word : new String[] {"remaster(ed)?", "deluxe( edition)?", "mono|stereo", "bonus tracks?", "live (at|in) [a-z]+",
                "[(\\[]explicit[)\\]]", "disc [0-9]+ of [0-9]+", "180 ?g(ram)?", "(re-?issue|reprint)", "(limited|numbered) pressing"}) {
                rules.add(new String[] {"(?i)\\s*(?<![a-z])(?:" + word + ")(?![a-z])", ""});
            }
            rules.add(new String[] {"\\s{2,}", " "});
        }
        private List<Pattern> patterns;

        String tidy(String title) {
            if (patterns == null) {
                patterns = rules.stream().map(rule -> Pattern.compile(rule[0])).toList();
            }
            String text = title;
            for (int n = 0; n < patterns.size(); n++) {
                text = patterns.get(n).matcher(text).replaceAll(rules.get(n)[1]);
            }
            return text;
        }
    }

    static final String[] NAMES = {"Blue Train", "Night Owls", "Harvest", "Tapestry", "Low Tide", "Silver Street"};
    static final String[] TAILS = {" (Explicit)", " Remastered", " Deluxe Edition", " Mono", " live in Lyon", " 180g", " disc 1 of 2", ""};

    static String title(int number) {
        return NAMES[number % 6] + "  " + (1950 + number * 7 % 70) + TAILS[number * 3 % 8] + TAILS[number / 8 % 8];
    }

    static int year(String text) {
        var found = YEAR.matcher(text);
        return found.find() ? Integer.parseInt(found.group()) : 0;
    }

    static final class Catalogue {
        final Map<String, Integer> titles = new HashMap<>();
        final Map<String, Integer> words = new HashMap<>();
        long years;

        void add(String text) {
            titles.merge(text, 1, Integer::sum);
            for (String word : text.split(" ")) {
                words.merge(word, 1, Integer::sum);
            }
            years += year(text);
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Rules rules = new Rules();
        Catalogue catalogue = new Catalogue();
        for (int number = 0; number < count; number++) {
            catalogue.add(rules.tidy(title(number)).strip());
        }
        System.out.println("records " + count + " titles " + catalogue.titles.size() + " words " + catalogue.words.size() + " years " + catalogue.years);
    }
}
