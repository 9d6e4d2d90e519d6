import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Packs a service's journal into an archive of compressed blocks, and reads the archive back to be sure of it. */
class Main {

    record Block(int number, int size, byte[] packed, int length, long crc) {
    }

    /** The journal: text lines, block after block, each made from its number alone. */
    static final class Journal {
        private static final String[] LEVELS = {"INFO ", "INFO ", "INFO ", "WARN ", "DEBUG"};
        private static final String[] PARTS = {"billing", "cart", "search", "login", "stock", "mail"};
        private final int blockSize;

        Journal(int blockSize) {
            this.blockSize = blockSize;
        }

        byte[] block(int number) {
            StringBuilder text = new StringBuilder(blockSize + 128);
            long state = number * 0x9E3779B97F4A7C15L + 7;
            int second = 0;
            while (text.length() < blockSize) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                second += (int) (state >>> 62);
                text.append("2024-05-17T08:").append(10 + second / 60 % 50).append(':').append(10 + second % 50).append(' ')
                    .append(LEVELS[(int) ((state >>> 33) % LEVELS.length)]).append(" [")
                    .append(PARTS[(int) ((state >>> 40) % PARTS.length)]).append("] request ").append(state >>> 44)
                    .append(" took ").append((state >>> 54) % 900).append(" ms\n");
            }
            text.setLength(blockSize);
            return text.toString().getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** One for each worker; a Deflater is made once and used for all of the worker's blocks. */
    static final class Packer {
        private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        private final CRC32 crc = new CRC32();

        Block pack(int number, byte[] text) {
            crc.reset();
            crc.update(text);
            deflater.reset();
            deflater.setInput(text);
            deflater.finish();
            byte[] packed = new byte[text.length / 2 + 1024];
            int length = 0;
            while (!deflater.finished()) {
                if (length == packed.length) {
                    packed = java.util.Arrays.copyOf(packed, packed.length * 2);
                }
                length += deflater.deflate(packed, length, packed.length - length);
            }
            return new Block(number, text.length, packed, length, crc.getValue());
        }
    }

    static void write(Block block, DataOutputStream out) throws IOException {
        out.writeInt(block.number());
        out.writeInt(block.size());
        out.writeInt(block.length());
        out.writeLong(block.crc());
        out.write(block.packed(), 0, block.length());
    }

    /** Blocks are packed by all processors and written in their order; only a few are on the way at a time. */
    static long archive(Journal journal, int blocks, Path path) throws IOException, InterruptedException, ExecutionException {
        int workers = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        ThreadLocal<Packer> packers = ThreadLocal.withInitial(Packer::new);
        Deque<Future<Block>> waiting = new ArrayDeque<>();
        long bytes = 0;
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 17))) {
            for (int number = 0; number < blocks || !waiting.isEmpty(); ) {
                while (number < blocks && waiting.size() < workers * 4) {
                    int mine = number++;
                    waiting.add(pool.submit(() -> packers.get().pack(mine, journal.block(mine))));
                }
                Block block = waiting.remove().get();
                write(block, out);
                bytes += block.size();
            }
        } finally {
            pool.shutdown();
        }
        return bytes;
    }

    static long verify(Path path, int blocks) throws IOException, DataFormatException {
        Inflater inflater = new Inflater(true);
        CRC32 crc = new CRC32();
        byte[] text = new byte[0];
        long mix = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 17))) {
            for (int n = 0; n < blocks; n++) {
                int number = in.readInt();
                int size = in.readInt();
                byte[] packed = in.readNBytes(readLength(in));
                long expected = java.nio.ByteBuffer.wrap(packed).getLong();
                text = text.length < size ? new byte[size] : text;
                inflater.reset();
                inflater.setInput(packed, 8, packed.length - 8);
                int got = 0;
                while (got < size && !inflater.finished()) {
                    got += inflater.inflate(text, got, size - got);
                }
                crc.reset();
                crc.update(text, 0, got);
                if (crc.getValue() != expected) {
                    throw new IOException("block " + number + " is damaged");
                }
                mix = mix * 31 + expected;
            }
        }
        inflater.end();
        return mix;
    }

    private static int readLength(DataInputStream in) throws IOException {
        return in.readInt() + 8;
    }

    public static void main(String[] args) throws Exception {
        int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 240;
        Path folder = Files.createTempDirectory("journal-");
        Path path = folder.resolve("journal.pack");
        try {
            long bytes = archive(new Journal(1 << 17), blocks, path);
            long mix = verify(path, blocks);
            System.out.println(String.format(Locale.ROOT, "blocks %d bytes %d packed %d check %016x", blocks, bytes,
                Files.size(path), mix));
        } finally {
            Files.deleteIfExists(path);
            Files.delete(folder);
        }
    }
}
