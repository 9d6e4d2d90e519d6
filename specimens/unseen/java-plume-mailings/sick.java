import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** Prepares the mailings of a garden society: who gets which letter, after all exclusions. */
final class Main {
    static final int MEMBERS = 40_000;
    static final String[] TOPICS = {"roses", "orchard", "bees", "compost", "bulbs", "greenhouse", "hedges", "ponds"};

    record Member(String mail, int district, int topics) {
        boolean likes(int topic) {
            return (topics >> topic & 1) != 0;
        }
    }

    record Mailing(int number, int topic, int district, String subject) {}

    /** One stage on the way from all members to the recipients. */
    interface Stage {
        void narrow(Mailing mailing, Set<String> recipients);
    }

    /** The addresses which sent something back, in the order in which it came. */
    static final class Register {
        private final Map<String, List<String>> lists = new HashMap<>();

        void note(String list, String mail) {
            lists.computeIfAbsent(list, key -> new ArrayList<>()).add(mail);
        }

        Collection<String> of(String list) {
            return lists.getOrDefault(list, List.of());
        }

        int size() {
            return lists.values().stream().mapToInt(List::size).sum();
        }
    }

    static final class Exclusion implements Stage {
        private final Register register;
        private final String list;

        Exclusion(Register register, String list) {
            this.register = register;
            this.list = list;
        }

        @Override
        public void narrow(Mailing mailing, Set<String> recipients) {
            recipients.removeAll(register.of(list));
        }
    }

    /** Nobody gets more than a few letters in a season. */
    static final class Quota implements Stage {
        private final Map<String, Integer> letters = new HashMap<>();
        private final int most;

        Quota(int most) {
            this.most = most;
        }

        @Override
        public void narrow(Mailing mailing, Set<String> recipients) {
            recipients.removeIf(mail -> letters.getOrDefault(mail, 0) >= most);
            for (String mail : recipients) {
                letters.merge(mail, 1, Integer::sum);
            }
        }
    }

    static final class Dice {
        private long state;

        Dice(long seed) {
            state = seed;
        }

        int below(int limit) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % limit);
        }
    }

    static List<Member> members(Dice dice) {
        List<Member> members = new ArrayList<>(MEMBERS);
        for (int number = 0; number < MEMBERS; number++) {
            String mail = "m" + number + "." + (char) ('a' + dice.below(26)) + "@garden-" + number % 19 + ".example";
            members.add(new Member(mail, dice.below(6), dice.below(256)));
        }
        return members;
    }

    static Register register(List<Member> members, Dice dice) {
        Register register = new Register();
        for (Member member : members) {
            if (dice.below(100) < 12) {
                register.note("unsubscribed", member.mail());
            }
            if (dice.below(100) < 3) {
                register.note("bounced", member.mail());
            }
        }
        for (int old = 0; old < 900; old++) {
            register.note("unsubscribed", "former" + old + "@garden-" + old % 19 + ".example");
        }
        return register;
    }

    static Set<String> audience(List<Member> members, Mailing mailing) {
        return members.stream()
            .filter(member -> member.district() == mailing.district() && member.likes(mailing.topic()))
            .map(Member::mail)
            .collect(Collectors.toCollection(HashSet::new));
    }

    static Map<String, Integer> byDomain(Set<String> recipients) {
        Map<String, Integer> domains = new TreeMap<>();
        for (String mail : recipients) {
            domains.merge(mail.substring(mail.indexOf('@') + 1), 1, Integer::sum);
        }
        return domains;
    }

    static List<Mailing> season(int count, Dice dice) {
        List<Mailing> mailings = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int topic = dice.below(TOPICS.length);
            mailings.add(new Mailing(number, topic, dice.below(6), "News about " + TOPICS[topic] + " No. " + number));
        }
        return mailings;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 36;
        Dice dice = new Dice(20_317);
        List<Member> members = members(dice);
        Register register = register(members, dice);
        Map<String, Stage> stages = new LinkedHashMap<>();
        stages.put("unsubscribed", new Exclusion(register, "unsubscribed"));
        stages.put("bounced", new Exclusion(register, "bounced"));
        stages.put("quota", new Quota(7));
        CRC32 seal = new CRC32();
        int letters = 0;
        for (Mailing mailing : season(count, dice)) {
            Set<String> recipients = audience(members, mailing);
            for (Stage stage : stages.values()) {
                stage.narrow(mailing, recipients);
            }
            letters += recipients.size();
            String sheet = mailing.subject() + " " + byDomain(recipients);
            seal.update(sheet.getBytes());
        }
        System.out.printf("mailings %d letters %d excluded %d seal %08x%n", count, letters, register.size(), seal.getValue());
    }
}
