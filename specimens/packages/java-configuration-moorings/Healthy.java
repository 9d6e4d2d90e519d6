import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.commons.configuration.ConfigurationException;
import org.apache.commons.configuration.PropertiesConfiguration;

/** Assigns the boats that winter in a marina to its moorings and keeps the plan in a properties file. */
public final class Healthy {
    static PropertiesConfiguration plan(Path file) throws ConfigurationException {
        PropertiesConfiguration plan = new PropertiesConfiguration();
        plan.setFile(file.toFile());
        return plan;
    }

    static void moor(PropertiesConfiguration plan, int boat) {
        String mooring = "pier" + boat % 6 + ".mooring" + boat / 6;
        plan.setProperty(mooring + ".boat", "boat " + boat);
        plan.setProperty(mooring + ".metres", 5 + boat * 7 % 11);
    }

    static int metres(PropertiesConfiguration plan) {
        int metres = 0;
        for (Iterator<String> keys = plan.getKeys(); keys.hasNext();) {
            String key = keys.next();
            if (key.endsWith(".metres")) {
                metres += plan.getInt(key);
            }
        }
        return metres;
    }

    public static void main(String[] arguments) throws ConfigurationException, IOException {
        Path file = Files.createTempFile("moorings", ".properties");
        PropertiesConfiguration plan = plan(file);
        for (int boat = 0; boat < Integer.parseInt(arguments[0]); boat++) {
            moor(plan, boat);
        }
        plan.save();
        try (var lines = Files.lines(file)) {
            System.out.println(lines.count() + " lines, " + metres(plan) + " metres");
        }
        Files.delete(file);
    }
}
