import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.TreeMap;

/** Writes a till tape and replays it to check the day's balance. */
class Main {
    record Entry(int till, int cents, String clerk) {}

    static void write(File file, int count) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file.toPath())))) {
            for (int n = 0; n < count; n++) {
                out.writeInt(n % 23);
                out.writeInt((n * 7919) % 20000 - 500);
                String clerk = "clerk" + n % 17;
                out.writeInt(clerk.length());
                out.writeBytes(clerk);
            }
        }
    }

    static final class Tape implements AutoCloseable {
        private final InputStream in;
        private int left;

        Tape(File file, int entries) throws IOException {
            in = new java.io.BufferedInputStream(Files.newInputStream(file.toPath()));
            left = entries;
        }

        int readNumber() throws IOException {
            int value = 0;
            for (int n = 0; n < 4; n++) {
                value = value << 8 | in.read();
            }
            return value;
        }

        String readName() throws IOException {
            byte[] letters = new byte[readNumber()];
            for (int n = 0; n < letters.length; n++) {
                letters[n] = (byte) in.read();
            }
            return new String(letters, java.nio.charset.StandardCharsets.US_ASCII);
        }

        Entry next() throws IOException {
            return left-- > 0 ? new Entry(readNumber(), readNumber(), readName()) : null;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    static final class Balance {
        private final TreeMap<String, Long> byClerk = new TreeMap<>();
        private final long[] byTill = new long[23];

        void add(Entry entry) {
            byClerk.merge(entry.clerk(), (long) entry.cents(), Long::sum);
            byTill[entry.till()] += entry.cents();
        }

        long check() {
            long value = 17;
            for (int round = 0; round < 4000; round++) {
                for (long till : byTill) {
                    value = value * 31 + till + round;
                }
            }
            return value;
        }
    }

    static Balance replay(File file, int count) throws IOException {
        Balance balance = new Balance();
        try (Tape tape = new Tape(file, count)) {
            for (Entry entry = tape.next(); entry != null; entry = tape.next()) {
                balance.add(entry);
            }
        }
        return balance;
    }

    public static void main(String[] args) throws IOException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        String folder = System.getenv("TMPDIR");
        File file = File.createTempFile("tape", ".bin", new File(folder == null ? "/tmp" : folder));
        try {
            write(file, count);
            Balance balance = replay(file, count);
            System.out.println("entries " + count + " clerks " + balance.byClerk.size() + " first " + balance.byClerk.firstEntry() + " check " + Long.toHexString(balance.check()));
        } finally {
            file.delete();
        }
    }
}
