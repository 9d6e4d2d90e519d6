import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Finds the chapters of a novel in its page: the second heading stands before them, the newest ones before that. */
public final class Sick {
    static String page(int chapters) {
        StringBuilder page = new StringBuilder("<html><body><div id=list><dl><dt>Newest chapters</dt>");
        for (int at = 0; at < 9; at++) {
            page.append("<dd><a href=/c/").append(chapters - at).append(">Chapter ").append(chapters - at).append("</a></dd>");
        }
        page.append("<dt>All chapters</dt>");
        for (int at = 1; at <= chapters; at++) {
            page.append("<dd><a href=/c/").append(at).append(">Chapter ").append(at).append("</a></dd>");
        }
        return page.append("</dl></div></body></html>").toString();
    }

    static List<Element> links(Document document) {
        return document.select("dl > dt:nth-of-type(2) ~ dd > a");
    }

    static List<String> addresses(String page) {
        List<String> addresses = new ArrayList<>();
        for (Element link : links(Jsoup.parse(page, "http://novels.example/"))) {
            addresses.add(link.absUrl("href"));
        }
        return addresses;
    }

    public static void main(String[] arguments) {
        List<String> addresses = addresses(page(Integer.parseInt(arguments[0])));
        System.out.println(addresses.size() + " " + addresses.get(addresses.size() - 1));
    }
}
