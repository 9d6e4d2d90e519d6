import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Takes the noon reports of ships, keeps a journal of them and adds up the distance of each ship. */
class Main {
    record Report(int ship, int day, int lat, int lon, String remark) {
        String line() {
            return day + ";" + ship + ";" + lat + ";" + lon + ";" + remark;
        }
    }

    static final class Journal implements AutoCloseable {
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        private final CRC32 check = new CRC32();

        Journal(Path path) throws IOException {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }

        void append(Report report) throws IOException {
            byte[] line = (report.line() + "\n").getBytes(StandardCharsets.UTF_8);
            if (buffer.remaining() < line.length) {
                drain();
            }
            check.update(line);
            buffer.put(line);
        }

        private void drain() throws IOException {
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
        }

        void commit() throws IOException {
            drain();
            channel.force(false);
        }

        long mark() {
            return check.getValue();
        }

        @Override
        public void close() throws IOException {
            commit();
            channel.close();
        }
    }

    static final class Fleet {
        private final Journal journal;
        private final TreeMap<Integer, Report> last = new TreeMap<>();
        private final TreeMap<Integer, Double> miles = new TreeMap<>();

        Fleet(Journal journal) {
            this.journal = journal;
        }

        double way(Report from, Report to) {
            double north = Math.toRadians((to.lat - from.lat) / 100.0);
            double east = Math.toRadians((to.lon - from.lon) / 100.0) * Math.cos(Math.toRadians(from.lat / 100.0));
            return 3440.0 * Math.hypot(north, east);
        }

        void take(Report report) throws IOException {
            Report before = last.put(report.ship, report);
            if (before != null) {
                miles.merge(report.ship, way(before, report), Double::sum);
            }
            journal.append(report);
            journal.commit();
        }

        void post(List<Report> bag) throws IOException {
            for (Report report : bag) {
                take(report);
            }
        }

        double total() {
            return miles.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    static List<Report> bag(int day, int ships) {
        List<Report> bag = new ArrayList<>();
        for (int ship = 0; ship < ships; ship++) {
            int turn = ship * 31 + day * 17;
            bag.add(new Report(ship, day, 4000 + turn % 700, 1000 + turn * 7 % 900, turn % 5 == 0 ? "fog" : "fair"));
        }
        return bag;
    }

    public static void main(String[] args) throws Exception {
        int days = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Path folder = Files.createTempDirectory("sextant");
        Path path = folder.resolve("journal.txt");
        long mark;
        double total;
        try (Journal journal = new Journal(path)) {
            Fleet fleet = new Fleet(journal);
            for (int day = 0; day < days; day++) {
                fleet.post(bag(day, 60));
            }
            mark = journal.mark();
            total = fleet.total();
        }
        long size = Files.size(path);
        Files.delete(path);
        Files.delete(folder);
        System.out.printf("days %d bytes %d miles %.3f mark %08x%n", days, size, total, mark);
    }
}
