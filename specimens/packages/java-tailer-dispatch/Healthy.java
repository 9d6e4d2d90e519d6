import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.apache.commons.io.input.Tailer;
import org.apache.commons.io.input.TailerListenerAdapter;

/** Sends out the taxis of a town: the desk writes calls into a journal, the garage follows it and books the cars. */
public final class Healthy {
    /** Books a car for each call that stands in the journal. */
    static final class Garage extends TailerListenerAdapter {
        final Map<String, Integer> minutes = new TreeMap<>();
        final Semaphore booked = new Semaphore(0);

        @Override
        public void handle(String line) {
            String[] fields = line.split(";");
            minutes.merge(fields[1], distance(fields[1], fields[2]), Integer::sum);
            booked.release();
        }

        @Override
        public void handle(Exception failure) {
            throw new IllegalStateException(failure);
        }

        static int distance(String from, String to) {
            int total = 3;
            for (char letter : (from + to).toCharArray()) {
                total = (total * 31 + letter) % 47;
            }
            return 4 + total;
        }
    }

    static String call(int number) {
        String[] streets = {"Mill Lane", "High Street", "Quay", "Station Road", "Castle Hill"};
        return number + ";" + streets[number % 5] + ";" + streets[(number * 3 + 1) % 5] + "\n";
    }

    static void write(Path journal, int first, int calls) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int number = first; number < first + calls; number++) {
            text.append(call(number));
        }
        Files.write(journal, text.toString().getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    }

    static Tailer follow(File journal, Garage garage) {
        return Tailer.create(journal, garage, 20);
    }

    static void shift(Path journal, Garage garage, int rounds, int calls) throws IOException, InterruptedException {
        for (int round = 0; round < rounds; round++) {
            write(journal, round * calls, calls);
            garage.booked.acquire(calls);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Path journal = Files.createTempFile("dispatch", ".journal");
        Garage garage = new Garage();
        Tailer tailer = follow(journal.toFile(), garage);
        shift(journal, garage, rounds, 400);
        tailer.stop();
        System.out.println(rounds * 400 + " calls, " + garage.minutes);
        Files.delete(journal);
    }
}
