import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Imports an orchard's price list; what a variety does not say itself, its family or the house says for it. */
class Main {
    static final class MissingSetting extends RuntimeException {
        MissingSetting(String scope, String name) {
            super(scope + " does not set " + name);
        }
    }

    static final class Scope {
        private final String name;
        private final Map<String, Integer> own = new HashMap<>();

        Scope(String name) {
            this.name = name;
        }

        Scope set(String setting, int value) {
            own.put(setting, value);
            return this;
        }

        boolean has(String setting) {
            return own.containsKey(setting);
        }

        int get(String setting) {
            Integer value = own.get(setting);
            if (value == null) {
                throw new MissingSetting(name, setting);
            }
            return value;
        }
    }

    static final class Settings {
        private final Map<String, List<Scope>> chains = new HashMap<>();
        private final Scope house = new Scope("house").set("price", 210).set("rebate", 3).set("crate", 18).set("tax", 7);

        Settings(int varieties) {
            for (int n = 0; n < varieties; n++) {
                Scope variety = new Scope("variety" + n);
                Scope family = new Scope("family" + n % 9).set("price", 180 + n % 9 * 6);
                Scope season = new Scope("season" + n % 3);
                if (n % 5 == 0) {
                    variety.set("crate", 14 + n % 3);
                }
                chains.put("variety" + n, List.of(variety, family, season, house));
            }
        }

        int find(String variety, String setting) {
            for (Scope scope : chains.get(variety)) {
                try {
                    return scope.get(setting);
                } catch (MissingSetting missing) {
                    continue;
                }
            }
            return 0;
        }
    }

    record Line(int number, String variety, int crates) {}

    static final class Importer {
        private final Settings settings;
        private long sum;
        private int seal = 1;

        Importer(Settings settings) {
            this.settings = settings;
        }

        long price(Line line) {
            int crate = settings.find(line.variety(), "crate");
            int price = settings.find(line.variety(), "price");
            int rebate = settings.find(line.variety(), "rebate");
            int tax = settings.find(line.variety(), "tax");
            return (long) price * crate * line.crates() * (100 - rebate) / 100 * (100 + tax) / 100;
        }

        void take(Line line) {
            sum += price(line);
            for (int round = 0; round < 150; round++) {
                seal = (seal ^ line.number() + round) * 16777619 + (seal >>> 7);
            }
        }
    }

    static void write(Path file, int lines, int varieties) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int n = 0; n < lines; n++) {
                out.write(n + ";variety" + n * 7919L % varieties + ";" + (n % 40 + 1) + "\n");
            }
        }
    }

    static List<Line> read(Path file) throws IOException {
        List<Line> lines = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                String[] fields = text.split(";");
                lines.add(new Line(Integer.parseInt(fields[0]), fields[1], Integer.parseInt(fields[2])));
            }
        }
        return lines;
    }

    public static void main(String[] args) throws IOException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Path file = Files.createTempFile("orchard", ".csv");
        try {
            write(file, count, 120);
            Importer importer = new Importer(new Settings(120));
            for (Line line : read(file)) {
                importer.take(line);
            }
            System.out.println("lines " + count + " sum " + importer.sum + " seal " + Integer.toHexString(importer.seal));
        } finally {
            Files.delete(file);
        }
    }
}
