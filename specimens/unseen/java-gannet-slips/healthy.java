import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/** A fish market: the slips of the scale go into a book, and the book is closed at the end of the landing. */
final class Main {
    /** What the scale printed. */
    record Slip(int number, int boat, int species, long grams) {
    }

    /** A book that keeps slips. */
    interface Book extends AutoCloseable {
        void enter(Slip slip) throws IOException;

        long grams();

        @Override
        void close() throws IOException;
    }

    /** The book in a file with slots of equal size. */
    static final class SlotBook implements Book {
        private static final int SLOT = 64;
        private static final int HEAD = 4096;
        private final FileChannel channel;
        private final MappedByteBuffer pages;
        private final ByteBuffer slot = ByteBuffer.allocate(SLOT);
        private final CRC32 crc = new CRC32();
        private int used;
        private long grams;

        SlotBook(Path path, int slots) throws IOException {
            channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            pages = channel.map(FileChannel.MapMode.READ_WRITE, 0, HEAD + (long) slots * SLOT);
        }

        @Override
        public void enter(Slip slip) {
            slot.clear();
            slot.putInt(slip.number()).putInt(slip.boat()).putInt(slip.species()).putLong(slip.grams());
            crc.reset();
            crc.update(slot.array(), 0, slot.position());
            slot.putInt((int) crc.getValue());
            int at = HEAD + used * SLOT;
            pages.put(at, slot.array(), 0, slot.position());
            settle(at);
            used++;
            grams += slip.grams();
        }

        private void settle(int at) {
            pages.putInt(0, used + 1);
        }

        @Override
        public long grams() {
            return grams;
        }

        @Override
        public void close() throws IOException {
            pages.putLong(8, grams);
            pages.force();
            channel.close();
        }
    }

    /** The list for the auction hall, in plain text. */
    static final class HallList implements AutoCloseable {
        private final BufferedWriter out;

        HallList(Path path) throws IOException {
            out = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
        }

        void add(Slip slip) throws IOException {
            out.write(slip.number() + ";" + slip.boat() + ";" + slip.species() + ";" + slip.grams());
            out.newLine();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** The scale at the quay. */
    static final class Scale {
        private int state = 1812433;

        List<Slip> landing(int count) {
            List<Slip> slips = new ArrayList<>(count);
            for (int number = 1; number <= count; number++) {
                state = state * 1664525 + 1013904223;
                slips.add(new Slip(number, (state >>> 9) % 37, (state >>> 17) % 12, 400 + (state >>> 12) % 90000));
            }
            return slips;
        }
    }

    private static String seal(Path path, int rounds) throws Exception {
        byte[] bytes = Files.readAllBytes(path);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] seal = new byte[0];
        for (int round = 0; round < rounds; round++) {
            digest.update(seal);
            seal = digest.digest(bytes);
        }
        return HexFormat.of().formatHex(seal, 0, 6);
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        Path folder = Files.createTempDirectory("landing");
        try {
            Path bookFile = folder.resolve("book");
            Path listFile = folder.resolve("list");
            long grams;
            try (Book book = new SlotBook(bookFile, count); HallList hall = new HallList(listFile)) {
                for (Slip slip : new Scale().landing(count)) {
                    book.enter(slip);
                    hall.add(slip);
                }
                grams = book.grams();
            }
            System.out.println("slips " + count + " grams " + grams + " book " + seal(bookFile, 40)
                    + " list " + seal(listFile, 40));
        } finally {
            remove(folder);
        }
    }
}
