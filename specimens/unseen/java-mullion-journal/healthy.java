import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows the journal of a glazier's machines: goes on where it stopped the last time and sums up per machine. */
final class Main {
    static final String[] STEPS = {"cut", "grind", "drill", "wash", "temper"};

    static final class Machine {
        int events;
        int faults;
        long millis;
        final int[] steps = new int[STEPS.length];

        void add(int step, long took, boolean fault) {
            events++;
            millis += took;
            steps[step]++;
            if (fault) {
                faults++;
            }
        }
    }

    /** Writes what the machines have logged in a shift. */
    static void log(Path journal, int lines) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(journal, StandardCharsets.ISO_8859_1)) {
            long state = 1_234_567;
            for (int i = 0; i < lines; i++) {
                state = state * 48_271 % 2_147_483_647;
                out.write("2024-05-17T" + (6 + i / 8_000 % 12) + ":" + i % 60 + " machine=" + state % 23);
                out.write(" step=" + STEPS[(int) (state / 31 % 5)] + " took=" + state / 7 % 9_000);
                out.write(state % 50 == 0 ? " fault=E" + state % 7 + "\n" : "\n");
            }
        }
    }

    /** Reads the journal from a mark on. */
    static final class Follower implements AutoCloseable {
        private final RandomAccessFile file;
        private final Map<Integer, Machine> machines = new HashMap<>();
        private long read;

        Follower(Path journal, long mark) throws IOException {
            file = new RandomAccessFile(journal.toFile(), "r");
            file.seek(mark);
        }

        void follow() throws IOException {
            BufferedReader in = new BufferedReader(
                Channels.newReader(file.getChannel(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(line);
                read++;
            }
        }

        private void take(String line) {
            String machine = field(line, "machine=");
            String step = field(line, "step=");
            if (machine == null || step == null) {
                return;
            }
            long took = Long.parseLong(field(line, "took="));
            int index = Arrays.asList(STEPS).indexOf(step);
            machines.computeIfAbsent(Integer.valueOf(machine), key -> new Machine())
                .add(index, took, field(line, "fault=") != null);
        }

        private static String field(String line, String name) {
            int begin = line.indexOf(name);
            if (begin < 0) {
                return null;
            }
            begin += name.length();
            int end = line.indexOf(' ', begin);
            return end < 0 ? line.substring(begin) : line.substring(begin, end);
        }

        List<Integer> worst(int count) {
            List<Integer> numbers = new ArrayList<>(machines.keySet());
            numbers.sort(Comparator.comparingInt((Integer n) -> -machines.get(n).faults).thenComparing(n -> n));
            return numbers.subList(0, Math.min(count, numbers.size()));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    public static void main(String[] args) throws IOException {
        int lines = args.length > 0 ? Integer.parseInt(args[0]) : 40_000;
        Path folder = Files.createTempDirectory("glazier");
        Path journal = folder.resolve("machines.log");
        try {
            log(journal, lines);
            long mark = Files.size(journal) / 20;
            try (Follower follower = new Follower(journal, mark)) {
                follower.follow();
                long millis = follower.machines.values().stream().mapToLong(machine -> machine.millis).sum();
                System.out.println(follower.read + " lines, " + millis + " ms, worst " + follower.worst(3));
            }
        } finally {
            Files.deleteIfExists(journal);
            Files.deleteIfExists(folder);
        }
    }
}
