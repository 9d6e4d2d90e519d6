import com.ibm.icu.text.NumberFormat;
import com.ibm.icu.util.Currency;
import com.ibm.icu.util.ULocale;
import java.util.HashMap;
import java.util.Map;

/** Prints the receipts of a ferry in the languages of its passengers and says how long the paper got. */
public final class Healthy {
    private static final ULocale[] LANGUAGES = {
        new ULocale("de_DE"), new ULocale("fr_FR"), new ULocale("nb_NO"), new ULocale("pl_PL"), new ULocale("en_GB"),
    };
    private static final Currency EURO = Currency.getInstance("EUR");

    private static final Map<ULocale, NumberFormat> MONEY = new HashMap<>();

    static NumberFormat money(ULocale language) {
        NumberFormat money = NumberFormat.getCurrencyInstance(language);
        money.setCurrency(EURO);
        return money;
    }

    static String price(long cents, ULocale language) {
        return MONEY.computeIfAbsent(language, Healthy::money).format(cents / 100.0);
    }

    static String receipt(int passenger) {
        ULocale language = LANGUAGES[passenger % LANGUAGES.length];
        StringBuilder paper = new StringBuilder();
        long sum = 0;
        for (int line = 0; line < 3 + passenger % 4; line++) {
            long cents = 250 + (passenger * 131L + line * 977L) % 120_000;
            paper.append("no. ").append(line + 1).append(' ').append(price(cents, language)).append('\n');
            sum += cents;
        }
        return paper.append(price(sum, language)).append('\n').toString();
    }

    public static void main(String[] arguments) {
        int passengers = Integer.parseInt(arguments[0]);
        long letters = 0;
        for (int passenger = 0; passenger < passengers; passenger++) {
            letters += receipt(passenger).length();
        }
        System.out.println(passengers + " receipts, " + letters + " letters");
    }
}
