import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Compares the prices of five hotel houses for a list of nights. */
public final class Main {
    static final int HOUSES = 5;

    record Offer(int house, int night, int cents) {}

    /** One house: a small service on a port of its own, which needs some time for an answer. */
    static final class House extends Thread {
        final ServerSocket door;
        final int number;

        House(int number) throws IOException {
            super("house-" + number);
            setDaemon(true);
            this.number = number;
            this.door = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
        }

        @Override
        public void run() {
            try (Socket guest = door.accept();
                    BufferedReader in = new BufferedReader(new InputStreamReader(guest.getInputStream()))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    int night = Integer.parseInt(line);
                    Thread.sleep(9 + number);
                    String answer = 4000 + (night * 7919 + number * 613) % 9000 + "\n";
                    guest.getOutputStream().write(answer.getBytes());
                }
            } catch (IOException | InterruptedException end) {
                interrupt();
            }
        }
    }

    /** A line to one house, kept open. */
    static final class Line {
        private final Socket socket;
        private final BufferedReader in;

        Line(House house) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), house.door.getLocalPort());
            in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        }

        int ask(int night) throws IOException {
            socket.getOutputStream().write((night + "\n").getBytes());
            return Integer.parseInt(in.readLine());
        }
    }

    static List<Offer> offers(List<Line> lines, ExecutorService pool, int night) throws Exception {
        List<Offer> out = new ArrayList<>();
        List<Callable<Integer>> questions = new ArrayList<>();
        for (Line line : lines) {
            questions.add(() -> line.ask(night));
        }
        List<Future<Integer>> answers = pool.invokeAll(questions);
        for (int number = 0; number < lines.size(); number++) {
            out.add(new Offer(number, night, answers.get(number).get()));
        }
        return out;
    }

    /** What the best house would cost over many made-up seasons. */
    static long seasons(List<Offer> best, int from, int to) {
        long sum = 0;
        for (int season = from; season < to; season++) {
            for (Offer offer : best) {
                sum += offer.cents() * (long) (90 + (season * 31 + offer.night()) % 21) / 100;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int nights = args.length > 0 ? Integer.parseInt(args[0]) : 26;
        List<Line> lines = new ArrayList<>();
        for (int number = 0; number < HOUSES; number++) {
            House house = new House(number);
            house.start();
            lines.add(new Line(house));
        }
        ExecutorService pool = Executors.newFixedThreadPool(HOUSES);
        List<Offer> best = new ArrayList<>();
        for (int night = 0; night < nights; night++) {
            best.add(offers(lines, pool, night).stream().min(Comparator.comparingInt(Offer::cents)).orElseThrow());
        }
        Future<Long> later = pool.submit(() -> seasons(best, 100000, 200000));
        long sum = seasons(best, 0, 100000) + later.get();
        pool.shutdown();
        System.out.println("nights " + nights + " sum " + best.stream().mapToInt(Offer::cents).sum() + " seasons " + sum);
    }
}
