import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.velocity.Template;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

/** Writes the menus of the day for the canteens of a town. */
public final class Healthy {
    static String page() {
        StringBuilder page = new StringBuilder("#set($open = $canteen.length() > 3)\nCanteen $canteen\n");
        for (String day : List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")) {
            page.append("\n== ").append(day).append(" ==\n");
            for (int dish = 0; dish < 40; dish++) {
                page.append("#if($open && $dishes.get(").append(dish).append(").contains(\"").append(day.charAt(1)).append("\"))\n")
                    .append(dish).append(". $dishes.get(").append(dish).append(")\n#elseif($canteen.endsWith(\"").append(dish)
                    .append("\"))\n* today: $dishes.get(").append(dish).append(") #set($special = ").append(dish).append(")\n#end\n");
            }
        }
        return page.toString();
    }

    static VelocityEngine engine(Path folder) {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("file.resource.loader.path", folder.toString());
        engine.setProperty("file.resource.loader.cache", "true");
        engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
        engine.init();
        return engine;
    }

    static List<String> dishes() {
        String[] kinds = {"soup", "stew", "pie", "noodles", "dumplings"};
        List<String> dishes = new ArrayList<>();
        for (int at = 0; at < 40; at++) {
            dishes.add((char) ('a' + at % 26) + "'s " + kinds[at % kinds.length]);
        }
        return dishes;
    }

    static String menu(VelocityEngine engine, String canteen, List<String> dishes) {
        Template page = engine.getTemplate("menu.vm");
        VelocityContext context = new VelocityContext();
        context.put("canteen", canteen);
        context.put("dishes", dishes);
        StringWriter out = new StringWriter();
        page.merge(context, out);
        return out.toString();
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("menus");
        Path file = Files.writeString(folder.resolve("menu.vm"), page());
        VelocityEngine engine = engine(folder);
        List<String> dishes = dishes();
        long letters = 0;
        for (int canteen = 0; canteen < Integer.parseInt(arguments[0]); canteen++) {
            letters += menu(engine, "canteen " + canteen, dishes).length();
        }
        System.out.println(arguments[0] + " menus, " + letters + " letters");
        Files.delete(file);
        Files.delete(folder);
    }
}
