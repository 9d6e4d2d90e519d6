import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Imports the day's till slips into a record file with fixed places, then reads them back for the closing report. */
class Main {
    record Slip(int number, int till, int cents, String clerk) {}

    static final int WIDTH = 64;

    static class SlipFile implements AutoCloseable {
        private final RandomAccessFile file;
        private int count;

        SlipFile(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rw");
        }

        void append(Slip slip) throws IOException {
            file.seek((long) count * WIDTH);
            file.write(encode(slip));
            count++;
        }

        void finish() throws IOException {
            file.getFD().sync();
        }

        Slip read(int index) throws IOException {
            byte[] record = new byte[WIDTH];
            file.seek((long) index * WIDTH);
            file.readFully(record);
            return decode(record);
        }

        int count() {
            return count;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    static byte[] encode(Slip slip) {
        ByteBuffer buffer = ByteBuffer.allocate(WIDTH);
        buffer.putInt(slip.number()).putInt(slip.till()).putInt(slip.cents());
        byte[] clerk = slip.clerk().getBytes(StandardCharsets.UTF_8);
        buffer.put((byte) clerk.length).put(clerk);
        CRC32 crc = new CRC32();
        crc.update(buffer.array(), 0, WIDTH - 8);
        buffer.putLong(WIDTH - 8, crc.getValue());
        return buffer.array();
    }

    static Slip decode(byte[] record) {
        CRC32 crc = new CRC32();
        crc.update(record, 0, WIDTH - 8);
        ByteBuffer buffer = ByteBuffer.wrap(record);
        if (buffer.getLong(WIDTH - 8) != crc.getValue()) {
            throw new IllegalStateException("torn slip");
        }
        int number = buffer.getInt();
        int till = buffer.getInt();
        int cents = buffer.getInt();
        byte[] clerk = new byte[buffer.get()];
        buffer.get(clerk);
        return new Slip(number, till, cents, new String(clerk, StandardCharsets.UTF_8));
    }

    static Slip scan(Random dice, int number) {
        String[] clerks = {"anouk", "bernd", "chiara", "dmitri", "esme"};
        return new Slip(number, dice.nextInt(9), 50 + dice.nextInt(20000), clerks[dice.nextInt(clerks.length)]);
    }

    static void load(SlipFile file, int slips) throws IOException {
        Random dice = new Random(23);
        for (int number = 0; number < slips; number++) {
            file.append(scan(dice, number));
        }
        file.finish();
    }

    static String report(SlipFile file) throws IOException {
        Map<Integer, Long> tills = new TreeMap<>();
        Map<String, Integer> clerks = new HashMap<>();
        for (int index = 0; index < file.count(); index++) {
            Slip slip = file.read(index);
            tills.merge(slip.till(), (long) slip.cents(), Long::sum);
            clerks.merge(slip.clerk(), 1, Integer::sum);
        }
        return tills + " " + new TreeMap<>(clerks);
    }

    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("tills");
        Path path = folder.resolve("slips.bin");
        try (SlipFile file = new SlipFile(path)) {
            load(file, Integer.parseInt(args[0]));
            System.out.println(report(file));
        } finally {
            Files.deleteIfExists(path);
            Files.deleteIfExists(folder);
        }
    }
}
