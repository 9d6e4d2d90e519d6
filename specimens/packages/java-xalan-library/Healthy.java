import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerException;
import org.apache.xpath.CachedXPathAPI;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Adds up what the books of a library are worth. */
public final class Healthy {
    static Document library(int books) throws Exception {
        StringBuilder text = new StringBuilder("<library>");
        for (int at = 0; at < books; at++) {
            text.append("<book shelf='").append(at % 40).append("'><title>Volume ").append(at).append("</title><price>")
                    .append(at % 97).append("</price></book>");
        }
        String source = text.append("</library>").toString();
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(source)));
    }

    static int price(CachedXPathAPI paths, Node book) throws TransformerException {
        Node price = paths.selectSingleNode(book, "price");
        return Integer.parseInt(price.getTextContent());
    }

    static long worth(Document library) throws TransformerException {
        CachedXPathAPI paths = new CachedXPathAPI();
        long worth = 0;
        NodeList books = library.getElementsByTagName("book");
        for (int at = 0; at < books.getLength(); at++) {
            worth += price(paths, books.item(at));
        }
        return worth;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(worth(library(Integer.parseInt(arguments[0]))));
    }
}
