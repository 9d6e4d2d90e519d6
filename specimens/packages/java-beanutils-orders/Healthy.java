import java.util.ArrayList;
import java.util.List;

/** Turns the orders of the shop into those that the warehouse gets. */
public final class Healthy {
    public static class Order {
        private int id;
        private String customer;
        private String street;
        private double weight;
        private boolean fragile;

        public int getId() { return id; }
        public void setId(int id) { this.id = id; }
        public String getCustomer() { return customer; }
        public void setCustomer(String customer) { this.customer = customer; }
        public String getStreet() { return street; }
        public void setStreet(String street) { this.street = street; }
        public double getWeight() { return weight; }
        public void setWeight(double weight) { this.weight = weight; }
        public boolean isFragile() { return fragile; }
        public void setFragile(boolean fragile) { this.fragile = fragile; }
    }

    static List<Order> orders(int count) {
        List<Order> orders = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            Order order = new Order();
            order.setId(at);
            order.setCustomer("c" + at % 90);
            order.setStreet("Main " + at);
            order.setWeight(at % 70 / 2.0);
            order.setFragile(at % 4 == 0);
            orders.add(order);
        }
        return orders;
    }

    static Order copy(Order order) {
        Order copy = new Order();
        copy.setId(order.getId());
        copy.setCustomer(order.getCustomer());
        copy.setStreet(order.getStreet());
        copy.setWeight(order.getWeight());
        copy.setFragile(order.isFragile());
        return copy;
    }

    public static void main(String[] arguments) {
        double weight = 0;
        for (Order order : orders(Integer.parseInt(arguments[0]))) {
            Order copy = copy(order);
            weight += copy.isFragile() ? copy.getWeight() * 2 : copy.getWeight();
        }
        System.out.println(weight);
    }
}
