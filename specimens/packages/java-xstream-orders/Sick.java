import java.util.ArrayList;
import java.util.List;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.io.xml.XppDriver;

public class Sick {
    static class Line {
        String article;
        int amount;
    }

    static class Order {
        int number;
        String customer;
        List<Line> lines = new ArrayList<>();
    }

    static XStream orderFormat() {
        XStream format = new XStream(new XppDriver());
        format.allowTypes(new Class<?>[] {Order.class, Line.class});
        format.alias("order", Order.class);
        format.alias("line", Line.class);
        return format;
    }

    static Order makeOrder(int number) {
        Order order = new Order();
        order.number = number;
        order.customer = "customer " + number % 90;
        for (int i = 0; i < 4; i++) {
            Line line = new Line();
            line.article = "article-" + (number * 3 + i) % 250;
            line.amount = 1 + (number + i) % 9;
            order.lines.add(line);
        }
        return order;
    }

    static String encode(Order order) {
        return orderFormat().toXML(order);
    }

    static Order decode(String text) {
        return (Order) orderFormat().fromXML(text);
    }

    public static void main(String[] args) {
        int orders = Integer.parseInt(args[0]);
        long bytes = 0;
        long amount = 0;
        for (int number = 0; number < orders; number++) {
            String text = encode(makeOrder(number));
            bytes += text.length();
            for (Line line : decode(text).lines) {
                amount += line.amount;
            }
        }
        System.out.println("orders " + orders + " bytes " + bytes + " amount " + amount);
    }
}
