import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/** Makes the sheet of shelf labels for a library. */
class Main {
    record Book(int number, String title, String author, int year) {
        String signature() {
            return author.substring(0, 3).toUpperCase(Locale.ROOT) + " " + year % 100 + "/" + number % 1000;
        }
    }

    static final String[] WORDS = {"Stone", "River", "Light", "Garden", "Winter", "Letters", "Voyage", "Silence"};

    static List<Book> shelf(int count) {
        List<Book> books = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            String title = WORDS[n % 8] + " and " + WORDS[(n * 5 + 3) % 8];
            books.add(new Book(n, title, "Author" + (char) ('a' + n % 26), 1900 + n * 7 % 120));
        }
        return books;
    }

    static final class BarCode {
        private static final int[] WEIGHTS = {1, 3, 1, 7, 3, 9};

        static String of(Book book) {
            StringBuilder bars = new StringBuilder();
            int value = book.number() * 7919 + book.year();
            for (int n = 0; n < 24; n++) {
                value = value * 31 + WEIGHTS[n % 6];
                bars.append((value >>> 5 & 1) == 0 ? '|' : ':');
            }
            return bars.toString();
        }
    }

    static final class LabelPrinter {
        private final int width;

        LabelPrinter(int width) {
            this.width = width;
        }

        String label(Book book) {
            String top = book.signature();
            String title = book.title().length() > width ? book.title().substring(0, width) : book.title();
            return top + "\n" + title + "\n" + BarCode.of(book) + "\n\n";
        }

        String sheet(List<Book> books) {
            StringBuilder text = new StringBuilder();
            for (Book book : books) {
                text.append(label(book));
            }
            return text.toString();
        }
    }

    static int longestLine(String text) {
        int longest = 0;
        int begin = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            longest = Math.max(longest, end - begin);
            begin = end + 1;
        }
        return longest;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        List<Book> books = shelf(count);
        String sheet = new LabelPrinter(20).sheet(books);
        CRC32 check = new CRC32();
        check.update(sheet.getBytes(StandardCharsets.UTF_8));
        System.out.println("labels " + books.size() + " size " + sheet.length() + " widest " + longestLine(sheet) + " check " + Long.toHexString(check.getValue()));
    }
}
