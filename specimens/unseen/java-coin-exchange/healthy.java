// Changes coins: the mint names the rate of each coin to tellers that have logged in.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

class Main {
    static class Line implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Line(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        static Line open(int port, String teller) throws IOException {
            Line line = new Line(new Socket(InetAddress.getLoopbackAddress(), port));
            String riddle = line.ask("login " + teller);
            line.ask("proof " + (riddle.hashCode() ^ teller.hashCode()));
            return line;
        }

        void say(String text) throws IOException {
            socket.getOutputStream().write((text + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        String hear() throws IOException {
            return in.readLine();
        }

        String ask(String question) throws IOException {
            say(question);
            return hear();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static class Teller {
        private final int port;
        private Line line;
        private long paid;
        private long dust;

        Teller(int port) {
            this.port = port;
        }

        int rate(int coin) throws IOException {
            if (line == null) {
                line = Line.open(port, "teller-4");
            }
            return Integer.parseInt(line.ask("rate " + coin));
        }

        void weigh(int coin) {
            long grains = coin + 1;
            for (int step = 0; step < 4000; step++) {
                grains = (grains * 48271 + step) % 2147483647;
            }
            dust += grains % 10;
        }

        void change(int coin) throws IOException {
            weigh(coin);
            int rate = rate(coin);
            paid += rate > 500 ? rate - 3 : rate;
        }

        void serve(int coins) throws IOException {
            for (int coin = 0; coin < coins; coin++) {
                change(coin);
            }
        }
    }

    static void mint() throws IOException {
        try (ServerSocket door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            System.out.println(door.getLocalPort());
            while (true) {
                Line guest = new Line(door.accept());
                Thread clerk = new Thread(() -> answer(guest));
                clerk.setDaemon(true);
                clerk.start();
            }
        }
    }

    static void answer(Line guest) {
        try (guest) {
            for (String question = guest.hear(); question != null; question = guest.hear()) {
                String[] words = question.split(" ");
                switch (words[0]) {
                    case "login" -> guest.say("riddle-" + words[1].length());
                    case "proof" -> {
                        // The register of tellers lies in the cellar.
                        Thread.sleep(4);
                        guest.say("welcome");
                    }
                    default -> guest.say(String.valueOf(100 + Integer.parseInt(words[1]) * 7919 % 900));
                }
            }
        } catch (IOException | InterruptedException error) {
            System.exit(1);
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("mint")) {
            mint();
            return;
        }
        int coins = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        String java = ProcessHandle.current().info().command().orElse("java");
        Process mint = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Main", "mint").start();
        BufferedReader hello = new BufferedReader(new InputStreamReader(mint.getInputStream()));
        Teller teller = new Teller(Integer.parseInt(hello.readLine()));
        teller.serve(coins);
        mint.destroy();
        mint.waitFor();
        System.out.println(coins + " coins, paid " + teller.paid + ", dust " + teller.dust);
    }
}
