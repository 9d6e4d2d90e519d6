import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Reads the nightly dumps of heat meters and adds up what each district has used. */
class Main {
    static final class Reading {
        final int meter;
        final short quarter;
        final int watts;
        final byte state;

        Reading(int meter, short quarter, int watts, byte state) {
            this.meter = meter;
            this.quarter = quarter;
            this.watts = watts;
            this.state = state;
        }

        boolean usable() {
            return state != 3 && watts >= 0;
        }
    }

    /** Writes what the meters would send in a night. */
    static final class Dump {
        static void write(Path path, int seed, int readings) throws IOException {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path)))) {
                out.writeInt(readings);
                long state = seed;
                for (int n = 0; n < readings; n++) {
                    state = state * 6364136223846793005L + 1442695040888963407L;
                    int value = (int) (state >>> 33);
                    out.writeInt(value % 30000);
                    out.writeShort(n % 96);
                    out.writeInt((value >>> 5) % 4000);
                    out.writeByte((value >>> 3) % 5);
                }
            }
        }
    }

    static final class DumpReader implements AutoCloseable {
        private final DataInputStream in;
        private int left;

        DumpReader(Path path) throws IOException {
            in = new DataInputStream(open(path));
            left = in.readInt();
        }

        private static InputStream open(Path path) throws IOException {
            return new BufferedInputStream(new FileInputStream(path.toFile()), 65536);
        }

        Reading next() throws IOException {
            if (left == 0) {
                return null;
            }
            left--;
            int meter = in.readInt();
            short quarter = in.readShort();
            int watts = in.readInt();
            int state = in.read();
            if (state < 0) {
                throw new EOFException("dump ends early");
            }
            return new Reading(meter, quarter, watts, (byte) state);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    static final class District {
        long watts;
        int readings;
        final long[] byHour = new long[24];

        void add(Reading reading, double factor) {
            long used = Math.round(reading.watts * factor);
            watts += used;
            readings++;
            byHour[reading.quarter / 4] += used;
        }

        int peak() {
            int best = 0;
            for (int hour = 1; hour < 24; hour++) {
                if (byHour[hour] > byHour[best]) {
                    best = hour;
                }
            }
            return best;
        }
    }

    static final class Totals {
        private final Map<Integer, District> districts = new TreeMap<>();
        private int skipped;

        /** Loss along the pipes, by the distance of the meter from the works. */
        private double factor(int meter) {
            double distance = (meter % 300) / 10.0;
            return 1.0 + Math.log1p(distance) * 0.02 + Math.sqrt(distance) * 0.003;
        }

        void take(Reading reading) {
            if (!reading.usable()) {
                skipped++;
                return;
            }
            districts.computeIfAbsent(reading.meter / 1000, key -> new District()).add(reading, factor(reading.meter));
        }

        String line() {
            long watts = 0;
            long mark = 0;
            for (Map.Entry<Integer, District> entry : districts.entrySet()) {
                District district = entry.getValue();
                watts += district.watts;
                mark = (mark * 31 + district.peak() * 7L + district.readings + entry.getKey()) % 1000003;
            }
            return "districts " + districts.size() + " watts " + watts + " skipped " + skipped + " mark " + mark;
        }
    }

    static void load(Path path, Totals totals) throws IOException {
        try (DumpReader reader = new DumpReader(path)) {
            for (Reading reading = reader.next(); reading != null; reading = reader.next()) {
                totals.take(reading);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int readings = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
        Path folder = Files.createTempDirectory("larch");
        Totals totals = new Totals();
        try {
            for (int night = 1; night <= 3; night++) {
                Path path = folder.resolve("night" + night + ".bin");
                Dump.write(path, night * 977, readings);
                load(path, totals);
                Files.delete(path);
            }
        } finally {
            Files.delete(folder);
        }
        System.out.println(totals.line());
    }
}
