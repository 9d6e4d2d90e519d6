import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads the visit log of a web shop and reports, for each campaign, visits, turnover and the longest visit. */
class Main {

    record Visit(long customer, String campaign, int seconds, long cents, String landing) {
    }

    /** The log: one line for each visit, in the order of time. */
    static final class VisitLog {
        private static final String[] PAGES = {"/", "/sale", "/new", "/search", "/brand", "/gift"};
        private final int lines;
        private long state = 20240501;
        private int at;
        private final StringBuilder buffer = new StringBuilder(80);

        VisitLog(int lines) {
            this.lines = lines;
        }

        String next() {
            if (at++ >= lines) {
                return null;
            }
            state = state * 6364136223846793005L + 1442695040888963407L;
            buffer.setLength(0);
            buffer.append((state >>> 40) % 50000).append('\t');
            buffer.append('c').append((state >>> 33) % 400).append('\t');
            buffer.append(5 + (state >>> 52) % 1800).append('\t');
            buffer.append((state >>> 60) == 0 ? 500 + (state >>> 44) % 20000 : 0).append('\t');
            buffer.append(PAGES[(int) ((state >>> 37) % PAGES.length)]);
            return buffer.toString();
        }
    }

    static Visit parse(String line) {
        int a = line.indexOf('\t');
        int b = line.indexOf('\t', a + 1);
        int c = line.indexOf('\t', b + 1);
        int d = line.indexOf('\t', c + 1);
        return new Visit(Long.parseLong(line, 0, a, 10), line.substring(a + 1, b), Integer.parseInt(line, b + 1, c, 10),
            Long.parseLong(line, c + 1, d, 10), line.substring(d + 1));
    }

    /** What is known of one campaign. */
    static final class Campaign {
        private final List<Visit> visits = new ArrayList<>();

        void record(Visit visit) {
            visits.add(visit);
        }

        long count() {
            return visits.size();
        }

        long turnover() {
            long cents = 0;
            for (Visit visit : visits) {
                cents += visit.cents();
            }
            return cents;
        }

        long buyers() {
            long buyers = 0;
            for (Visit visit : visits) {
                buyers += visit.cents() > 0 ? 1 : 0;
            }
            return buyers;
        }

        int longest() {
            int seconds = 0;
            for (Visit visit : visits) {
                seconds = Math.max(seconds, visit.seconds());
            }
            return seconds;
        }
    }

    static final class Report {
        private final Map<String, Campaign> campaigns = new HashMap<>();
        private final Map<String, Integer> landings = new TreeMap<>();

        void take(Visit visit) {
            campaigns.computeIfAbsent(visit.campaign(), name -> new Campaign()).record(visit);
            landings.merge(visit.landing(), 1, Integer::sum);
        }

        String best() {
            return campaigns.entrySet().stream()
                .max(Comparator.<Map.Entry<String, Campaign>>comparingLong(entry -> entry.getValue().turnover())
                    .thenComparing(Map.Entry::getKey))
                .orElseThrow().getKey();
        }

        String summary() {
            long visits = 0;
            long cents = 0;
            long buyers = 0;
            int longest = 0;
            for (Campaign campaign : campaigns.values()) {
                visits += campaign.count();
                cents += campaign.turnover();
                buyers += campaign.buyers();
                longest = Math.max(longest, campaign.longest());
            }
            return String.format(Locale.ROOT, "visits %d campaigns %d turnover %d.%02d buyers %d longest %d s best %s landings %s",
                visits, campaigns.size(), cents / 100, cents % 100, buyers, longest, best(), landings);
        }
    }

    public static void main(String[] args) {
        int lines = args.length > 0 ? Integer.parseInt(args[0]) : 1300000;
        VisitLog log = new VisitLog(lines);
        Report report = new Report();
        for (String line = log.next(); line != null; line = log.next()) {
            report.take(parse(line));
        }
        System.out.println(report.summary());
    }
}
