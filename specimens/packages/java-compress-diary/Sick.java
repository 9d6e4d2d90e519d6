import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Packs the diary of a ship and counts in it the days of storm. */
public final class Sick {
    static void pack(Path diary, int days) throws IOException {
        Random weather = new Random(5);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (Writer writer = new OutputStreamWriter(
                new BZip2CompressorOutputStream(packed, 1), StandardCharsets.UTF_8)) {
            for (int day = 0; day < days; day++) {
                String wind = weather.nextInt(9) == 0 ? "storm" : "fair";
                writer.write("day " + day + " " + wind + " " + Long.toHexString(weather.nextLong()) + "\n");
            }
        }
        Files.write(diary, packed.toByteArray());
    }

    static int storms(Path diary) throws IOException {
        int storms = 0;
        try (InputStream packed = new FileInputStream(diary.toFile());
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new BZip2CompressorInputStream(packed), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("storm")) {
                    storms++;
                }
            }
        }
        return storms;
    }

    public static void main(String[] arguments) throws IOException {
        Path diary = Files.createTempFile("diary-", ".bz2");
        try {
            pack(diary, Integer.parseInt(arguments[0]));
            int storms = 0;
            for (int reader = 0; reader < 10; reader++) {
                storms += storms(diary);
            }
            System.out.println(storms);
        } finally {
            Files.delete(diary);
        }
    }
}
