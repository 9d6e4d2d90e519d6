import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints the list of the plots of an allotment garden that still have something to give away. */
public final class Healthy {
    static final String PAGE = """
            <#assign ripe = plots?filter(plot -> plot.kilos gt 3)>
            Ripe on ${ripe?size} plots
            <#list ripe as plot>
              ${plot.name}: ${plot.kilos} kg of ${plot.fruit}
            </#list>
            """;

    public static final class Plot {
        private final String name;
        private final String fruit;
        private final int kilos;

        Plot(String name, String fruit, int kilos) {
            this.name = name;
            this.fruit = fruit;
            this.kilos = kilos;
        }

        public String getName() { return name; }
        public String getFruit() { return fruit; }
        public int getKilos() { return kilos; }
    }

    static List<Plot> plots(int count) {
        String[] fruits = {"plums", "beans", "apples", "chard", "leeks"};
        List<Plot> plots = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            plots.add(new Plot("plot " + at, fruits[at % fruits.length], at * 7 % 13));
        }
        return plots;
    }

    static Template page() throws IOException {
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_31);
        configuration.setNumberFormat("computer");
        return new Template("garden", PAGE, configuration);
    }

    static String print(Template page, List<Plot> plots) throws IOException, TemplateException {
        StringWriter out = new StringWriter();
        page.process(Map.of("plots", plots), out);
        return out.toString();
    }

    public static void main(String[] arguments) throws IOException, TemplateException {
        String list = print(page(), plots(Integer.parseInt(arguments[0])));
        long lines = list.lines().filter(line -> !line.isBlank()).map(String::strip).count();
        System.out.println(lines + " lines, " + list.lines().map(String::strip).mapToInt(String::length).sum() + " letters");
    }
}
