import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Makes the sheets of a herbarium searchable by what is written on them. */
public final class Sick {
    static final String[] PLACES = {"meadow", "ditch", "quarry", "forest", "bank", "wall", "moor"};
    static final String[] COLOURS = {"white", "yellow", "blue", "red", "violet"};

    static Document sheet(int number) {
        Document sheet = new Document();
        sheet.add(new StringField("number", "H-" + number, Field.Store.YES));
        sheet.add(new TextField("label", COLOURS[number % 5] + " flowers, found near the " + PLACES[number % 7] + " in July "
            + (1880 + number % 60) + " by the " + (number % 3 == 0 ? "teacher" : "doctor"), Field.Store.YES));
        return sheet;
    }

    static void enter(IndexWriter writer, Document sheet) throws IOException {
        writer.addDocument(sheet);
        writer.commit();
    }

    static void fill(Directory cabinet, int sheets) throws IOException {
        try (IndexWriter writer = new IndexWriter(cabinet, new IndexWriterConfig(new StandardAnalyzer()))) {
            for (int number = 0; number < sheets; number++) {
                enter(writer, sheet(number));
            }
        }
    }

    static int count(Directory cabinet, String word) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(cabinet)) {
            return new IndexSearcher(reader).count(new TermQuery(new Term("label", word)));
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("herbarium");
        try (Directory cabinet = FSDirectory.open(folder)) {
            fill(cabinet, Integer.parseInt(arguments[0]));
            System.out.println(count(cabinet, "quarry") + " from the quarry, " + count(cabinet, "blue") + " blue");
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> file.toFile().delete());
        }
        Files.delete(folder);
    }
}
