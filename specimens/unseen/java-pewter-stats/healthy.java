import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Adds up a museum's visitor log by gallery and age, several readers at once. */
class Main {
    record Visit(int minute, String gallery, int age, int spent) {}

    static final class Summary {
        private final Map<String, long[]> groups = new TreeMap<>();
        private long visits;

        void add(Visit visit) {
            String group = visit.gallery() + "/" + age(visit) + "/" + visit.minute() / 60;
            record(visit, group, interest(visit));
        }

        private synchronized void record(Visit visit, String group, int interest) {
            long[] sums = groups.computeIfAbsent(group, key -> new long[3]);
            sums[0]++;
            sums[1] += visit.spent();
            sums[2] += interest;
            visits++;
        }

        private static String age(Visit visit) {
            return visit.age() < 18 ? "young" : visit.age() < 65 ? "adult" : "senior";
        }

        private static int interest(Visit visit) {
            int value = visit.spent() + visit.age();
            for (int step = 0; step < 16000; step++) {
                value = value * 1103515245 + visit.minute() + (value >>> 16);
            }
            return value >>> 24;
        }

        synchronized String text() {
            long spent = 0;
            long interest = 0;
            for (long[] sums : groups.values()) {
                spent += sums[1];
                interest += sums[2];
            }
            return "visits " + visits + " groups " + groups.size() + " spent " + spent + " interest " + interest;
        }
    }

    static final String[] GALLERIES = {"pewter", "glass", "tapestry", "clocks", "armour"};

    static void write(Path file, int visits) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            int state = 11;
            for (int n = 0; n < visits; n++) {
                state = state * 1664525 + 1013904223;
                out.write((state >>> 8) % 1440 + "," + GALLERIES[(state >>> 13) % 5] + "," + (5 + (state >>> 18) % 85)
                        + "," + (state >>> 20) % 3000 + "\n");
            }
        }
    }

    static List<String> read(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        }
        return lines;
    }

    static Visit parse(String line) {
        String[] fields = line.split(",");
        return new Visit(Integer.parseInt(fields[0]), fields[1], Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
    }

    static int share(List<String> lines, Summary summary) {
        for (String line : lines) {
            summary.add(parse(line));
        }
        return lines.size();
    }

    static int readAll(List<String> lines, Summary summary, int readers) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(readers);
        List<Future<Integer>> parts = new ArrayList<>();
        int piece = 500;
        for (int first = 0; first < lines.size(); first += piece) {
            List<String> part = lines.subList(first, Math.min(lines.size(), first + piece));
            parts.add(pool.submit(() -> share(part, summary)));
        }
        int done = 0;
        for (Future<Integer> part : parts) {
            done += part.get();
        }
        pool.shutdown();
        return done;
    }

    public static void main(String[] args) throws Exception {
        int visits = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        Path file = Files.createTempFile("visits", ".csv");
        try {
            write(file, visits);
            Summary summary = new Summary();
            int done = readAll(read(file), summary, 4);
            System.out.println("lines " + done + " " + summary.text());
        } finally {
            Files.delete(file);
        }
    }
}
