import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Counts for some of the staff of a firm how many people sit at their table: themselves and those they lead. */
public final class Healthy {
    static final String TEAM = "SELECT id FROM staff WHERE id = ? UNION SELECT id FROM staff WHERE manager = ?";

    static void fill(Connection base, int people) throws SQLException {
        try (Statement statement = base.createStatement()) {
            statement.execute("CREATE TABLE staff (id INT PRIMARY KEY, manager INT, name VARCHAR(40))");
            statement.execute("CREATE INDEX by_manager ON staff (manager)");
            statement.execute("INSERT INTO staff SELECT x, x / 8, 'Person ' || x FROM system_range(1, " + people + ")");
        }
    }

    static int table(PreparedStatement team, int person) throws SQLException {
        team.setInt(1, person);
        team.setInt(2, person);
        int seats = 0;
        try (ResultSet rows = team.executeQuery()) {
            while (rows.next()) {
                seats++;
            }
        }
        return seats;
    }

    public static void main(String[] arguments) throws SQLException {
        int people = 8_000;
        try (Connection base = DriverManager.getConnection("jdbc:h2:mem:firm")) {
            fill(base, people);
            int seats = 0;
            try (PreparedStatement team = base.prepareStatement(TEAM)) {
                for (int at = 0; at < Integer.parseInt(arguments[0]); at++) {
                    seats += table(team, at * 211 % people + 1);
                }
            }
            System.out.println(seats);
        }
    }
}
