import java.io.StringReader;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.DocumentBuilder;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XQueryCompiler;
import net.sf.saxon.s9api.XQueryEvaluator;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XdmValue;

/** Lists the loans of a library with the names of the readers who have them. */
public final class Healthy {
    private static final String OVERDUE = "let $readers := map:merge(/library/reader ! map:entry(string(@card), .)) "
            + "return string-join("
            + "for $loan in /library/loan[@days > 28] "
            + "let $reader := $readers(string($loan/@card)) "
            + "return concat($reader/@name, ' owes ', $loan/@book), '\n')";

    static String library(int readers) {
        StringBuilder text = new StringBuilder("<library>");
        for (int reader = 0; reader < readers; reader++) {
            text.append("<reader card='c").append(reader).append("' name='Reader ").append(reader).append("'/>");
        }
        for (int loan = 0; loan < readers; loan++) {
            text.append("<loan card='c").append((loan * 7) % readers);
            text.append("' book='b").append(loan % 900).append("' days='").append(loan % 60).append("'/>");
        }
        return text.append("</library>").toString();
    }

    static XdmNode read(Processor processor, String text) throws SaxonApiException {
        DocumentBuilder builder = processor.newDocumentBuilder();
        return builder.build(new StreamSource(new StringReader(text)));
    }

    static String overdue(Processor processor, XdmNode library) throws SaxonApiException {
        XQueryCompiler compiler = processor.newXQueryCompiler();
        compiler.declareNamespace("map", "http://www.w3.org/2005/xpath-functions/map");
        XQueryEvaluator query = compiler.compile(OVERDUE).load();
        query.setContextItem(library);
        XdmValue list = query.evaluate();
        return list.toString();
    }

    public static void main(String[] arguments) throws SaxonApiException {
        Processor processor = new Processor(false);
        XdmNode library = read(processor, library(Integer.parseInt(arguments[0])));
        String list = overdue(processor, library);
        System.out.println(list.lines().count() + " " + list.hashCode());
    }
}
