import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** Reads the orders of a queue, each a small JSON text. */
public final class Sick {
    public static final class Order {
        public int id;
        public String customer;
        public List<Integer> items = new ArrayList<>();
    }

    static List<String> queue(int count) {
        List<String> queue = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            queue.add("{\"id\":" + at + ",\"customer\":\"c" + at % 90 + "\",\"items\":[1,2," + at % 7 + "]}");
        }
        return queue;
    }

    static Order read(String text) throws Exception {
        return new ObjectMapper().readValue(text, Order.class);
    }

    public static void main(String[] arguments) throws Exception {
        long items = 0;
        for (String text : queue(Integer.parseInt(arguments[0]))) {
            items += read(text).items.get(2);
        }
        System.out.println(items);
    }
}
