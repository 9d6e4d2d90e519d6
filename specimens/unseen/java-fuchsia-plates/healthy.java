import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Looks through an observatory's archive of plates for stars that have changed between two nights. */
final class Main {
    private static final int SIDE = 24;
    private static final int PLATE = SIDE * SIDE * 2;

    /** Writes the archive: plates of 16 bit spots, one after the other, with an index behind them. */
    static final class Press {
        private int state = 91;

        private int next(int limit) {
            state = state * 1103515245 + 12345;
            return (state >>> 9) % limit;
        }

        void write(Path file, int plates) throws IOException {
            long[] places = new long[plates];
            try (OutputStream raw = Files.newOutputStream(file); DataOutputStream out = new DataOutputStream(new BufferedOutputStream(raw, 1 << 18))) {
                byte[] plate = new byte[PLATE];
                long place = 0;
                for (int number = 0; number < plates; number++) {
                    for (int spot = 0; spot < plate.length; spot += 2) {
                        int light = 200 + (spot * 13 + number % 5 * 7) % 90 + (state >>> 28);
                        state = state * 1103515245 + 12345;
                        plate[spot] = (byte) (light >>> 8);
                        plate[spot + 1] = (byte) light;
                    }
                    int pad = next(96);
                    out.write(plate);
                    out.write(new byte[pad]);
                    places[number] = place;
                    place += PLATE + pad;
                }
                for (long one : places) {
                    out.writeLong(one);
                }
            }
        }
    }

    /** The archive, read through the page cache without copying. */
    static final class Archive implements AutoCloseable {
        private final FileChannel channel;
        private final ByteBuffer index;
        private final ByteBuffer whole;
        private final int plates;

        Archive(Path file, int plates) throws IOException {
            this.plates = plates;
            channel = FileChannel.open(file, StandardOpenOption.READ);
            index = channel.map(FileChannel.MapMode.READ_ONLY, channel.size() - plates * 8L, plates * 8L);
            whole = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }

        ByteBuffer plate(int number) throws IOException {
            return whole.slice((int) index.getLong(number * 8), PLATE);
        }

        int plates() {
            return plates;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Compares two plates after their backgrounds are taken away. */
    static final class Comparator {
        private final int[] sample = new int[SIDE];
        private long changed;
        private int brightest;

        private int background(ByteBuffer plate) {
            for (int place = 0; place < SIDE; place++) {
                sample[place] = plate.getShort((place * SIDE + place) * 2);
            }
            Arrays.sort(sample);
            return sample[SIDE / 2];
        }

        void compare(ByteBuffer before, ByteBuffer after) {
            int shift = background(after) - background(before);
            for (int spot = 0; spot < PLATE; spot += 2) {
                int step = after.getShort(spot) - before.getShort(spot) - shift;
                if (step > 40) {
                    changed++;
                    brightest = Math.max(brightest, step);
                }
            }
        }
    }

    public static void main(String[] args) throws IOException {
        int nights = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int plates = 4000;
        Path file = Files.createTempFile("plates", ".bin");
        Comparator comparator = new Comparator();
        try {
            new Press().write(file, plates);
            try (Archive archive = new Archive(file, plates)) {
                for (int night = 1; night <= nights; night++) {
                    for (int number = 0; number < archive.plates(); number++) {
                        comparator.compare(archive.plate(number), archive.plate((number * 17 + night) % plates));
                    }
                }
            }
        } finally {
            Files.delete(file);
        }
        System.out.println("compared " + (long) nights * plates + " changed " + comparator.changed + " brightest " + comparator.brightest);
    }
}
