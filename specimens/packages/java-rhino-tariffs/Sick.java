import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Works out what the campers of a site owe, by the tariff that the warden has written as a script. */
public final class Sick {
    static final String TARIFF = String.join("\n", List.of(
        "var season = { may: 1, june: 1.2, july: 1.5, august: 1.5, september: 1.1 };",
        "function nights(stay) { return stay.to - stay.from; }",
        "function pitch(stay) {",
        "  var fee = stay.tent === 'small' ? 9 : stay.tent === 'large' ? 14 : 21;",
        "  if (stay.dogs > 0) { fee += 2 * stay.dogs; }",
        "  if (nights(stay) > 6) { fee *= 0.9; }",
        "  return fee * nights(stay) * season[stay.month];",
        "}",
        "function heads(stay) {",
        "  var fee = 0;",
        "  for (var i = 0; i < stay.adults; i++) { fee += 6.5; }",
        "  for (var k = 0; k < stay.children; k++) { fee += k > 2 ? 1 : 3; }",
        "  return fee * nights(stay);",
        "}",
        "Math.round(100 * (pitch(stay) + heads(stay)));"));

    static Scriptable stay(Context context, Scriptable scope, int number) {
        Scriptable stay = context.newObject(scope);
        ScriptableObject.putProperty(stay, "from", number % 20);
        ScriptableObject.putProperty(stay, "to", number % 20 + 1 + number % 9);
        ScriptableObject.putProperty(stay, "tent", List.of("small", "large", "caravan").get(number % 3));
        ScriptableObject.putProperty(stay, "month", List.of("may", "june", "july", "august", "september").get(number % 5));
        ScriptableObject.putProperty(stay, "dogs", number % 4 / 3);
        ScriptableObject.putProperty(stay, "adults", 1 + number % 3);
        ScriptableObject.putProperty(stay, "children", number % 5);
        return stay;
    }

    static long owed(Context context, Scriptable scope, int stays) {
        long pence = 0;
        for (int number = 0; number < stays; number++) {
            ScriptableObject.putProperty(scope, "stay", stay(context, scope, number));
            pence += (long) Context.toNumber(context.evaluateString(scope, TARIFF, "tariff", 1, null));
        }
        return pence;
    }

    public static void main(String[] arguments) {
        Context context = Context.enter();
        int stays = Integer.parseInt(arguments[0]);
        System.out.println(stays + " stays, " + owed(context, context.initStandardObjects(), stays) + " pence");
        Context.exit();
    }
}
