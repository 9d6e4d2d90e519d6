import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.lingala.zip4j.ZipFile;
import net.lingala.zip4j.io.outputstream.ZipOutputStream;
import net.lingala.zip4j.model.FileHeader;
import net.lingala.zip4j.model.ZipParameters;
import net.lingala.zip4j.model.enums.CompressionMethod;

/** Throws the blurred pictures out of the packed album of a school trip. */
public final class Healthy {
    static void pack(Path album, int pictures) throws IOException {
        Random light = new Random(7);
        byte[] picture = new byte[150_000];
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(album))) {
            for (int at = 0; at < pictures; at++) {
                light.nextBytes(picture);
                ZipParameters parameters = new ZipParameters();
                parameters.setCompressionMethod(CompressionMethod.STORE);
                parameters.setEntrySize(picture.length);
                parameters.setFileNameInZip((at % 3 == 0 ? "blurred" : "sharp") + "/trip" + at + ".jpg");
                out.putNextEntry(parameters);
                new ByteArrayInputStream(picture).transferTo(out);
                out.closeEntry();
            }
        }
    }

    static List<String> blurred(ZipFile album) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileHeader header : album.getFileHeaders()) {
            if (header.getFileName().startsWith("blurred/")) {
                names.add(header.getFileName());
            }
        }
        return names;
    }

    static void discard(ZipFile album, List<String> names) throws IOException {
        album.removeFiles(names);
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("album");
        Path file = folder.resolve("trip.zip");
        pack(file, Integer.parseInt(arguments[0]));
        try (ZipFile album = new ZipFile(file.toFile())) {
            List<String> names = blurred(album);
            discard(album, names);
            System.out.println(names.size() + " gone, " + album.getFileHeaders().size() + " left");
        }
        System.out.println(Files.size(file) + " bytes");
        Files.delete(file);
        Files.delete(folder);
    }
}
