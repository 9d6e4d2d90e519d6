import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** What runs in the other process: a gauging station and a calendar behind one port. */
final class Peer {
    private Peer() {}

    static void serve() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            System.out.flush();
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> attend(socket));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void attend(Socket socket) {
        try (socket;
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true)) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                int mark = Integer.parseInt(words[1]);
                if (words[0].equals("LEVELS")) {
                    Thread.sleep(340);
                    StringBuilder page = new StringBuilder().append((mark * 48271) % 9973 + 1);
                    for (int hour = 0; hour < 400; hour++) {
                        page.append(' ').append((mark * 31 + hour * 7919) % 640);
                    }
                    out.println(page);
                } else {
                    out.println("day " + mark % 28);
                }
            }
        } catch (IOException | InterruptedException gone) {
            // The other side has left.
        }
    }
}

/** A line to the peer, kept open. */
final class Station implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final PrintWriter out;

    Station(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        out = new PrintWriter(socket.getOutputStream(), true);
    }

    private String ask(String question) throws IOException {
        out.println(question);
        return in.readLine();
    }

    /** A page of levels; its first number is the mark of the next page. */
    int[] levels(int mark) throws IOException {
        String[] words = ask("LEVELS " + mark).split(" ");
        int[] page = new int[words.length];
        for (int place = 0; place < words.length; place++) {
            page[place] = Integer.parseInt(words[place]);
        }
        return page;
    }

    String day(int mark) throws IOException {
        return ask("DAY " + mark);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

/** The levels of one river. */
final class River {
    private final List<Integer> levels = new ArrayList<>();
    private final StringBuilder days = new StringBuilder();

    void collect(Station station, int pages) throws IOException {
        int mark = 17;
        for (int number = 0; number < pages; number++) {
            int[] page = station.levels(mark);
            for (int turn = 0; turn < 30; turn++) {
                days.append(station.day(mark + turn).length());
            }
            for (int place = 1; place < page.length; place++) {
                levels.add(page[place]);
            }
            mark = page[0];
        }
    }

    double flood() {
        double wave = 0;
        for (int turn = 0; turn < 2000; turn++) {
            for (int level : levels) {
                wave += (level - wave) * 0.01;
            }
        }
        return wave;
    }

    @Override
    public String toString() {
        return levels.size() + " levels, days " + days.toString().hashCode();
    }
}

final class Main {
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("peer")) {
            Peer.serve();
            return;
        }
        int pages = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        String java = ProcessHandle.current().info().command().orElse("java");
        Process peer = new ProcessBuilder(java, "-Xshare:auto", "-cp", System.getProperty("java.class.path"), "Main", "peer")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(peer.getInputStream()));
                Station station = new Station(Integer.parseInt(said.readLine()))) {
            River river = new River();
            river.collect(station, pages);
            System.out.printf("%s, flood %.6f%n", river, river.flood());
        } finally {
            peer.destroy();
            peer.waitFor();
        }
    }
}
