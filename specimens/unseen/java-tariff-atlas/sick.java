import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Prices parcels of one region by the tariff atlas of the whole country. */
class Main {
    enum Size { LETTER, SMALL, LARGE, PALLET }

    record Parcel(String region, Size size, int grams, LocalDate day) { }

    /** The tariffs of one region: a price for each size and for each weight up to fifty kilos, and its holidays. */
    static final class Tariff {
        private static final int STEP = 10;
        private final Map<Size, int[]> prices = new EnumMap<>(Size.class);
        private final Map<LocalDate, Integer> surcharges = new HashMap<>();

        Tariff(int region) {
            for (Size size : Size.values()) {
                prices.put(size, curve(region, size));
            }
            LocalDate day = LocalDate.of(2020, 1, 1);
            for (int k = 0; k < 5 * 366; k++, day = day.plusDays(1)) {
                if (day.getDayOfWeek() == DayOfWeek.SUNDAY || (k + region) % 97 == 0) {
                    surcharges.put(day, 40 + region % 25);
                }
            }
        }

        private static int[] curve(int region, Size size) {
            double base = 90 + region % 40 + size.ordinal() * 150;
            return IntStream.range(0, 50_000 / STEP)
                    .map(k -> (int) (base + Math.pow(k, 0.9 - size.ordinal() * 0.05) + 3 * Math.sin(k / 40.0)))
                    .toArray();
        }

        int price(Parcel parcel) {
            int place = Math.min(parcel.grams() / STEP, prices.get(parcel.size()).length - 1);
            return prices.get(parcel.size())[place] + surcharges.getOrDefault(parcel.day(), 0);
        }
    }

    /** All tariffs by the name of their region. */
    static final class Atlas {
        private static final int REGIONS = 700;
        private static final Map<String, Tariff> TARIFFS = new HashMap<>();

        static {
            for (int region = 0; region < REGIONS; region++) {
                TARIFFS.put("R" + region, new Tariff(region));
            }
        }

        static Tariff of(String region) {
            return TARIFFS.get(region);
        }
    }

    static List<Parcel> truck(int count) {
        List<Parcel> parcels = new ArrayList<>(count);
        LocalDate day = LocalDate.of(2023, 3, 1);
        for (int k = 0; k < count; k++) {
            String region = "R" + (17 + k % 3);
            parcels.add(new Parcel(region, Size.values()[k * 7 % 4], 20 + k * 7919 % 48_000, day.plusDays(k % 60)));
        }
        return parcels;
    }

    static long invoice(List<Parcel> parcels) {
        long sum = 0;
        for (Parcel parcel : parcels) {
            sum = (sum * 31 + Atlas.of(parcel.region()).price(parcel)) % 1_000_000_007L;
        }
        return sum;
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        System.out.println("invoice " + invoice(truck(count)));
    }
}
