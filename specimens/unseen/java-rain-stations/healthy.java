// Asks rain stations for last night's rain and warns of floods.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class Main {
    static class Survey {
        private final int port;
        private final ExecutorService callers = Executors.newFixedThreadPool(16);

        Survey(int port) {
            this.port = port;
        }

        int ask(int station) {
            try (Socket line = new Socket(InetAddress.getLoopbackAddress(), port)) {
                line.getOutputStream().write((station + "\n").getBytes(StandardCharsets.US_ASCII));
                BufferedReader answer = new BufferedReader(new InputStreamReader(line.getInputStream()));
                return Integer.parseInt(answer.readLine());
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        List<Integer> collect(int stations) {
            List<CompletableFuture<Integer>> answers = IntStream.range(0, stations).boxed()
                .map(station -> CompletableFuture.supplyAsync(() -> ask(station), callers))
                .collect(Collectors.toList());
            return answers.stream().map(CompletableFuture::join).collect(Collectors.toList());
        }

        void close() {
            callers.shutdown();
        }
    }

    static long flood(List<Integer> rain) {
        long level = 0;
        for (int hour = 0; hour < 20_000; hour++) {
            for (int fallen : rain) {
                level = (level * 7 + fallen + hour) % 1_000_003;
            }
        }
        return level;
    }

    static void stations() throws IOException {
        try (ServerSocket door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            System.out.println(door.getLocalPort());
            while (true) {
                Socket guest = door.accept();
                Thread thread = new Thread(() -> answer(guest));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    static void answer(Socket guest) {
        try (guest) {
            BufferedReader line = new BufferedReader(new InputStreamReader(guest.getInputStream()));
            int station = Integer.parseInt(line.readLine());
            Thread.sleep(18 + station % 5);
            guest.getOutputStream().write((station * 31 % 97 + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("stations")) {
            stations();
            return;
        }
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        String java = ProcessHandle.current().info().command().orElse("java");
        Process peer = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Main", "stations")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader hello = new BufferedReader(new InputStreamReader(peer.getInputStream()));
        Survey survey = new Survey(Integer.parseInt(hello.readLine()));
        List<Integer> rain = survey.collect(count);
        survey.close();
        peer.destroy();
        peer.waitFor();
        System.out.println(rain.size() + " stations, flood " + flood(rain));
    }
}
