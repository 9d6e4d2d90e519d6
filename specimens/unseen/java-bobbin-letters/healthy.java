import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Sets the letters of a yarn mill: each order becomes a page for its customer. */
final class Main {
    static final String SHEET = """
        <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
          <xsl:output method="html"/>
          <xsl:template match="/order">
            <html><head><title>Order <xsl:value-of select="@number"/></title></head>
              <body>
                <h1><xsl:call-template name="greeting"/></h1>
                <table><xsl:apply-templates select="line"><xsl:sort select="@colour"/></xsl:apply-templates></table>
                <p>Weight: <xsl:value-of select="sum(line/@grams)"/></p>
                <xsl:if test="count(line) &gt; 6"><p>We send this in two parcels.</p></xsl:if>
              </body></html>
          </xsl:template>
          <xsl:template name="greeting">
            <xsl:choose>
              <xsl:when test="customer/@kind = 'shop'">To the shop <xsl:value-of select="customer"/></xsl:when>
              <xsl:when test="customer/@kind = 'school'">To all at <xsl:value-of select="customer"/></xsl:when>
              <xsl:otherwise>Dear <xsl:value-of select="customer"/></xsl:otherwise>
            </xsl:choose>
          </xsl:template>
          <xsl:template match="line">
            <tr><td><xsl:value-of select="@colour"/></td>
              <td><xsl:value-of select="@grams"/> g</td>
              <td><xsl:value-of select="format-number(@grams * @rate div 100, '0.00')"/></td></tr>
          </xsl:template>
          <xsl:template match="line[@grams &gt; 400]">
            <tr class="cone"><td><xsl:value-of select="@colour"/></td>
              <td><xsl:value-of select="@grams div 1000"/> kg</td>
              <td><xsl:value-of select="format-number(@grams * @rate * 0.9 div 100, '0.00')"/></td></tr>
          </xsl:template>
        </xsl:stylesheet>
        """;

    static final String[] COLOURS = {"madder", "weld", "woad", "walnut", "indigo", "lichen", "cochineal"};
    static final String[] KINDS = {"shop", "school", "person"};

    /** The order as it comes from the shop, in XML. */
    static String order(int number) {
        StringBuilder xml = new StringBuilder(900);
        xml.append("<order number='").append(number).append("'><customer kind='").append(KINDS[number % 3]);
        xml.append("'>Customer ").append(number * 31 % 997).append("</customer>");
        int lines = 3 + number % 7;
        for (int i = 0; i < lines; i++) {
            int grams = 50 + (number * 17 + i * 91) % 600;
            xml.append("<line colour='").append(COLOURS[(number + i * 3) % COLOURS.length]);
            xml.append("' grams='").append(grams).append("' rate='").append(4 + i % 5).append("'/>");
        }
        return xml.append("</order>").toString();
    }

    /** Turns orders into pages. */
    static final class Press {
        private final TransformerFactory factory = TransformerFactory.newInstance();

        private Templates sheet;

        private Transformer plate() throws TransformerException {
            if (sheet == null) {
                sheet = factory.newTemplates(new StreamSource(new StringReader(SHEET)));
            }
            Transformer plate = sheet.newTransformer();
            plate.setOutputProperty(OutputKeys.INDENT, "no");
            return plate;
        }

        String print(String order) throws TransformerException {
            StringWriter page = new StringWriter(2048);
            plate().transform(new StreamSource(new StringReader(order)), new StreamResult(page));
            return page.toString();
        }
    }

    /** Lines are broken for the printer at 72 characters. */
    static List<String> fold(String page) {
        List<String> lines = new ArrayList<>();
        int begin = 0;
        while (begin < page.length()) {
            int end = Math.min(page.length(), begin + 72);
            lines.add(page.substring(begin, end));
            begin = end;
        }
        return lines;
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 120;
        Press press = new Press();
        CRC32 check = new CRC32();
        int lines = 0;
        for (int number = 1; number <= count; number++) {
            List<String> letter = fold(press.print(order(number)));
            lines += letter.size();
            for (String line : letter) {
                check.update(line.getBytes());
            }
        }
        System.out.println(count + " letters, " + lines + " lines, " + Long.toHexString(check.getValue()));
    }
}
