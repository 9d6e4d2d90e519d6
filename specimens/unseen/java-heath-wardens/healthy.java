import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rules of the heath: how many may come on which path; kept in a file that may be changed at any time. */
final class Rules {
    private final Path file;
    private FileTime read;
    private Map<String, Integer> limits = Map.of();
    private int until;

    Rules(Path file) {
        this.file = file;
    }

    /** The rules as they are in the file now. */
    Map<String, Integer> current() throws IOException {
        if (until > 0) {
            until--;
            return limits;
        }
        until = 1000;
        FileTime changed = Files.getLastModifiedTime(file);
        if (!changed.equals(read)) {
            limits = parse(Files.readAllLines(file));
            read = changed;
        }
        return limits;
    }

    private static Map<String, Integer> parse(List<String> lines) {
        Map<String, Integer> limits = new HashMap<>();
        for (String line : lines) {
            int place = line.indexOf('=');
            limits.put(line.substring(0, place), Integer.parseInt(line.substring(place + 1)));
        }
        return limits;
    }
}

/** Somebody on the heath. */
record Visitor(String path, int dogs, int hour) {
    static Visitor parse(String text) {
        int first = text.indexOf('/');
        int second = text.indexOf('/', first + 1);
        return new Visitor(
                text.substring(0, first),
                Integer.parseInt(text.substring(first + 1, second)),
                Integer.parseInt(text.substring(second + 1)));
    }
}

/** Looks at visitors and keeps the tally. */
final class Warden {
    private final Rules rules;
    private final Map<String, Integer> today = new HashMap<>();
    private final Map<String, Integer> tally = new TreeMap<>();

    Warden(Rules rules) {
        this.rules = rules;
    }

    String judge(Visitor visitor) throws IOException {
        int limit = rules.current().getOrDefault(visitor.path(), 0);
        int count = today.merge(visitor.path(), 1, Integer::sum);
        if (visitor.dogs() > 2) {
            return "leash";
        }
        if (count % 100 > limit) {
            return "full";
        }
        return visitor.hour() > 20 ? "late" : "welcome";
    }

    void watch(int visitors) throws IOException {
        int state = 1907;
        for (int number = 0; number < visitors; number++) {
            state = state * 1664525 + 1013904223;
            int draw = state >>> 8;
            String text = "path" + draw % 40 + "/" + draw / 64 % 4 + "/" + draw / 512 % 24;
            tally.merge(judge(Visitor.parse(text)), 1, Integer::sum);
        }
    }

    String report() {
        return tally.toString();
    }
}

final class Main {
    private static Path writeRules() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int path = 0; path < 40; path++) {
            text.append("path").append(path).append('=').append(40 + path * 7 % 60).append('\n');
        }
        Path file = Files.createTempFile("heath", ".rules");
        Files.writeString(file, text);
        return file;
    }

    public static void main(String[] args) throws IOException {
        int visitors = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Path file = writeRules();
        try {
            Warden warden = new Warden(new Rules(file));
            warden.watch(visitors);
            System.out.println(visitors + " visitors " + warden.report());
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
