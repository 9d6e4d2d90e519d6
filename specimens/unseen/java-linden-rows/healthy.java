import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A square garden in which no two lindens may stand in one row, column or diagonal. */
final class Garden {
    private final int side;
    private final int all;

    Garden(int side) {
        this.side = side;
        this.all = (1 << side) - 1;
    }

    int side() {
        return side;
    }

    /** Number of ways to go on below the rows that are planted. */
    long place(int columns, int left, int right) {
        if (columns == all) {
            return 1;
        }
        long ways = 0;
        int free = all & ~(columns | left | right);
        while (free != 0) {
            int spot = free & -free;
            free ^= spot;
            ways += place(columns | spot, (left | spot) << 1, (right | spot) >>> 1);
        }
        return ways;
    }
}

/** The first two rows, fixed: a task of its own. */
record Start(int first, int second) {
    boolean possible() {
        return Math.abs(first - second) > 1;
    }

    long count(Garden garden) {
        int one = 1 << first;
        int two = 1 << second;
        return garden.place(one | two, (one << 1 | two) << 1, (one >>> 1 | two) >>> 1);
    }
}

/** Shares the starts out to the gardeners. */
final class Planner {
    private final ExecutorService gardeners;

    Planner(ExecutorService gardeners) {
        this.gardeners = gardeners;
    }

    long plan(Garden garden) throws Exception {
        List<Future<Long>> asked = new ArrayList<>();
        for (int first = 0; first < garden.side(); first++) {
            for (int second = 0; second < garden.side(); second++) {
                Start start = new Start(first, second);
                if (start.possible()) {
                    asked.add(gardeners.submit(() -> start.count(garden)));
                }
            }
        }
        long ways = 0;
        for (Future<Long> part : asked) {
            ways += part.get();
        }
        return ways;
    }
}

final class Main {
    public static void main(String[] args) throws Exception {
        int years = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        ExecutorService gardeners = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<Integer, Long> results = new TreeMap<>();
        try {
            Planner planner = new Planner(gardeners);
            for (int year = 0; year < years; year++) {
                Garden garden = new Garden(10 + year);
                results.put(garden.side(), planner.plan(garden));
            }
        } finally {
            gardeners.shutdown();
        }
        System.out.println(results);
    }
}
