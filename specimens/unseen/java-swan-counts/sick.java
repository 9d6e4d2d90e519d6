import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Sends the counts of swans on all lakes to the county's office. */
final class Main {
    /** What was seen on one lake. */
    record Sighting(int lake, int day, int swans, int cygnets, short wind, boolean ice) {}

    /** The office: adds up what comes in. */
    static final class Office extends Thread {
        private final ServerSocket door;
        private long sum;

        Office() throws IOException {
            door = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
        }

        int port() {
            return door.getLocalPort();
        }

        @Override
        public void run() {
            try (Socket caller = door.accept();
                    DataInputStream in = new DataInputStream(new BufferedInputStream(caller.getInputStream(), 1 << 16))) {
                int count = in.readInt();
                for (int number = 0; number < count; number++) {
                    sum = sum * 31 + in.readInt() * 7L + in.readInt();
                    sum += in.readInt() * 3L + in.readInt();
                    sum ^= in.readShort();
                    sum += in.readBoolean() ? 5 : 2;
                }
                DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                out.writeLong(sum);
            } catch (IOException problem) {
                throw new IllegalStateException(problem);
            }
        }
    }

    /** The watchers' end of the line. */
    static final class Line implements AutoCloseable {
        private final Socket socket;
        private final DataOutputStream out;
        private final DataInputStream in;

        Line(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        void begin(int count) throws IOException {
            out.writeInt(count);
        }

        void send(Sighting sighting) throws IOException {
            out.writeInt(sighting.lake());
            out.writeInt(sighting.day());
            out.writeInt(sighting.swans());
            out.writeInt(sighting.cygnets());
            out.writeShort(sighting.wind());
            out.writeBoolean(sighting.ice());
        }

        long answer() throws IOException {
            out.flush();
            return in.readLong();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static List<Sighting> season(int count) {
        List<Sighting> sightings = new ArrayList<>(count);
        int state = 1066;
        for (int number = 0; number < count; number++) {
            state = state * 1664525 + 1013904223;
            int swans = (state >>> 9) % 120;
            sightings.add(new Sighting(number % 90, number / 90, swans, brood(swans, number),
                    (short) ((state >>> 16) % 12), state % 11 == 0));
        }
        return sightings;
    }

    /** How many cygnets so many swans bring up. */
    private static int brood(int swans, int lake) {
        int young = swans;
        for (int week = 0; week < 40; week++) {
            young = (young * 13 + lake + week) % 97;
        }
        return young;
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        Office office = new Office();
        office.start();
        try (Line line = new Line(office.port())) {
            line.begin(count);
            for (Sighting sighting : season(count)) {
                line.send(sighting);
            }
            System.out.println(count + " sightings, sum " + Long.toHexString(line.answer()));
        }
        office.join();
    }
}
