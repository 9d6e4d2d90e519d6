import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Appraises the estates of an auction house: an expert in another house is asked for each piece. */
final class Main {
    record Piece(int estate, int number, String kind, int year) {}

    record Appraisal(Piece piece, long low, long high) {}

    /** The experts' house: each caller has his own expert, who thinks for some milliseconds. */
    static final class Experts implements AutoCloseable {
        private final ServerSocket door;
        private final ExecutorService rooms = Executors.newCachedThreadPool();

        Experts() throws IOException {
            door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
            rooms.submit(this::receive);
        }

        int port() {
            return door.getLocalPort();
        }

        private Void receive() throws IOException {
            while (!door.isClosed()) {
                Socket caller = door.accept();
                caller.setTcpNoDelay(true);
                rooms.submit(() -> advise(caller));
            }
            return null;
        }

        private Void advise(Socket caller) throws IOException, InterruptedException {
            try (caller;
                BufferedReader in = new BufferedReader(new InputStreamReader(caller.getInputStream()));
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(caller.getOutputStream()))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String[] parts = line.split(" ");
                    int year = Integer.parseInt(parts[1]);
                    Thread.sleep(7);
                    long low = (2030L - year) * (20 + parts[0].hashCode() % 13) + year % 17;
                    out.write(low + " " + (low + low / 4) + "\n");
                    out.flush();
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            door.close();
            rooms.shutdownNow();
        }
    }

    static final class Line {
        private final BufferedReader in;
        private final BufferedWriter out;
        private final Socket socket;

        Line(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            out = new BufferedWriter(new OutputStreamWriter(socket.getOutputStream()));
        }

        String ask(String question) throws IOException {
            out.write(question);
            out.write('\n');
            out.flush();
            return in.readLine();
        }
    }

    /** Lines to the experts which are free at the moment. */
    static final class Switchboard {
        private final int port;
        private final Deque<Line> free = new ArrayDeque<>();

        Switchboard(int port) {
            this.port = port;
        }

        private Line take() throws IOException {
            synchronized (free) {
                if (!free.isEmpty()) {
                    return free.pop();
                }
            }
            return new Line(port);
        }

        Appraisal appraise(Piece piece) {
            try {
                Line line = take();
                String[] answer = line.ask(piece.kind() + " " + piece.year()).split(" ");
                synchronized (free) {
                    free.push(line);
                }
                return new Appraisal(piece, Long.parseLong(answer[0]), Long.parseLong(answer[1]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void hangUp() throws IOException {
            for (Line line : free) {
                line.socket.close();
            }
        }
    }

    /** Between two and sixteen clerks, as many as there is work for. */
    static ThreadPoolExecutor clerks() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor clerks = new ThreadPoolExecutor(16, 16, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
            task -> new Thread(task, "clerk-" + number.incrementAndGet()));
        clerks.allowCoreThreadTimeOut(true);
        return clerks;
    }

    static List<Piece> estate(int estate) {
        String[] kinds = {"clock", "chair", "vase", "mirror", "carpet", "etching"};
        List<Piece> pieces = new ArrayList<>();
        for (int number = 0; number < 30; number++) {
            pieces.add(new Piece(estate, number, kinds[(estate + number * 5) % 6], 1700 + (estate * 31 + number * 7) % 250));
        }
        return pieces;
    }

    public static void main(String[] args) throws Exception {
        int estates = args.length > 0 ? Integer.parseInt(args[0]) : 16;
        long low = 0;
        long seal = 17;
        try (Experts experts = new Experts()) {
            Switchboard switchboard = new Switchboard(experts.port());
            ThreadPoolExecutor clerks = clerks();
            for (int number = 0; number < estates; number++) {
                List<CompletableFuture<Appraisal>> asked = new ArrayList<>();
                for (Piece piece : estate(number)) {
                    asked.add(CompletableFuture.supplyAsync(() -> switchboard.appraise(piece), clerks));
                }
                for (CompletableFuture<Appraisal> one : asked) {
                    Appraisal appraisal = one.join();
                    low += appraisal.low();
                    seal = seal * 1_000_003 + appraisal.high() * 31 + appraisal.piece().number();
                }
            }
            clerks.shutdown();
            switchboard.hangUp();
        }
        System.out.printf("estates %d low %d seal %016x%n", estates, low, seal);
    }
}
