import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.lang3.SerializationUtils;

/** Tries seating plans for an orchestra: each try moves two players of a copy, and is kept if they are better off. */
public class Sick {
    static final class Player implements Serializable {
        private static final long serialVersionUID = 1L;
        final String name;
        final int height;
        int chair;

        Player(String name, int height, int chair) {
            this.name = name;
            this.height = height;
            this.chair = chair;
        }
    }

    static final class Plan implements Serializable {
        private static final long serialVersionUID = 1L;
        final ArrayList<Player> players = new ArrayList<>();

        void swap(int one, int other) {
            int chair = players.get(one).chair;
            players.get(one).chair = players.get(other).chair;
            players.get(other).chair = chair;
        }

        long price() {
            long price = 0;
            for (Player player : players) {
                price += (long) player.height * (player.chair / 10);
            }
            return -price;
        }
    }

    static Plan firstPlan(int count) {
        Plan plan = new Plan();
        for (int chair = 0; chair < count; chair++) {
            plan.players.add(new Player("player-" + chair, 150 + chair * 37 % 50, chair));
        }
        return plan;
    }

    static Plan copyOf(Plan plan) {
        return SerializationUtils.clone(plan);
    }

    static List<Long> improve(Plan plan, int tries) {
        List<Long> prices = new ArrayList<>();
        long seed = 5;
        for (int turn = 0; turn < tries; turn++) {
            seed = seed * 48271 % 2147483647;
            Plan other = copyOf(plan);
            other.swap((int) (seed % other.players.size()), (int) (seed / 128 % other.players.size()));
            if (other.price() < plan.price()) {
                plan = other;
                prices.add(plan.price());
            }
        }
        return prices;
    }

    public static void main(String[] arguments) {
        List<Long> prices = improve(firstPlan(90), Integer.parseInt(arguments[0]));
        System.out.println(prices.size() + " " + prices.get(prices.size() - 1));
    }
}
