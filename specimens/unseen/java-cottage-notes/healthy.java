import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Builds the guest index of holiday cottages from their visitors' notes: a heap file of notes and a table of places. */
final class Main {
    static final String[] COTTAGES = {"bramble", "heron", "lilac", "mill", "orchard", "quarry", "rook", "willow"};
    static final String[] PHRASES = {"lovely view", "cold kettle", "kind hosts", "a draughty hall", "good walks",
        "the dog was happy", "rain all week", "we will be back"};

    record Note(int number, String cottage, int day, String text) {
        byte[] packed() {
            byte[] words = (cottage + "|" + text).getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(12 + words.length);
            out.putInt(number).putInt(day).putInt(words.length).put(words);
            return out.array();
        }
    }

    /** Notes one after the other; a note is found again by its place. */
    static final class NoteFile implements AutoCloseable {
        private final RandomAccessFile file;
        private long end;

        NoteFile(Path path) throws IOException {
            file = new RandomAccessFile(path.toFile(), "rw");
        }

        long append(Note note) throws IOException {
            byte[] raw = note.packed();
            long place = end;
            file.seek(place);
            file.write(raw);
            end += raw.length;
            return place;
        }

        String read(long place) throws IOException {
            file.seek(place);
            byte[] head = new byte[12];
            file.readFully(head);
            ByteBuffer in = ByteBuffer.wrap(head);
            int number = in.getInt();
            int day = in.getInt();
            byte[] words = new byte[in.getInt()];
            file.readFully(words);
            return number + "/" + day + "/" + new String(words, StandardCharsets.UTF_8);
        }

        void seal() throws IOException {
            file.getFD().sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    static final class Index {
        private final Map<String, List<Long>> places = new HashMap<>();

        void enter(String cottage, long place) {
            places.computeIfAbsent(cottage, name -> new ArrayList<>()).add(place);
        }

        List<String> cottages() {
            List<String> names = new ArrayList<>(places.keySet());
            names.sort(Comparator.naturalOrder());
            return names;
        }
    }

    static List<Note> notes(int count) {
        long state = 42;
        List<Note> out = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            StringBuilder text = new StringBuilder();
            state = state * 6364136223846793005L + 1442695040888963407L;
            int draw = (int) (state >>> 33);
            for (int i = 0; i < 2 + draw % 4; i++) {
                text.append(text.length() == 0 ? "" : ", ").append(PHRASES[(draw >> (3 * i)) & 7]);
            }
            out.add(new Note(number, COTTAGES[(draw >> 20) & 7], draw % 365, text.toString()));
        }
        return out;
    }

    static Index build(NoteFile file, List<Note> notes) throws IOException {
        Index index = new Index();
        for (Note note : notes) {
            index.enter(note.cottage(), file.append(note));
        }
        file.seal();
        return index;
    }

    static String report(NoteFile file, Index index) throws IOException {
        CRC32 check = new CRC32();
        int read = 0;
        for (String cottage : index.cottages()) {
            for (long place : index.places.get(cottage)) {
                check.update(file.read(place).getBytes(StandardCharsets.UTF_8));
                read++;
            }
        }
        return "cottages " + index.cottages().size() + " notes " + read + " check " + Long.toHexString(check.getValue());
    }

    static void clear(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        Path folder = Files.createTempDirectory("cottage-notes");
        try (NoteFile file = new NoteFile(folder.resolve("notes.dat"))) {
            Index index = build(file, notes(count));
            System.out.println(report(file, index));
        } finally {
            clear(folder);
        }
    }
}
