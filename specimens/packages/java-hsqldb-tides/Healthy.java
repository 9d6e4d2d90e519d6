import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Takes the readings of a tide gauge into a database and tells the highest water. */
public final class Healthy {
    static Connection open(Path folder) throws SQLException {
        String address = "jdbc:hsqldb:file:" + folder.resolve("tides") + ";hsqldb.write_delay=false";
        return DriverManager.getConnection(address, "SA", "");
    }

    static void table(Connection database) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE tide (minute INTEGER PRIMARY KEY, water INTEGER)");
        }
    }

    static void take(Connection database, int readings) throws SQLException {
        database.setAutoCommit(false);
        try (PreparedStatement insert = database.prepareStatement("INSERT INTO tide VALUES (?, ?)")) {
            for (int minute = 0; minute < readings; minute++) {
                insert.setInt(1, minute);
                insert.setInt(2, (int) (300 * Math.sin(minute / 119.0)));
                insert.executeUpdate();
            }
        }
        database.commit();
    }

    static String highest(Connection database) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet found = statement.executeQuery("SELECT COUNT(*), MAX(water) FROM tide")) {
            found.next();
            return found.getInt(1) + " " + found.getInt(2);
        }
    }

    static void remove(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        Path folder = Files.createTempDirectory("tides-");
        try (Connection database = open(folder); Statement end = database.createStatement()) {
            table(database);
            take(database, Integer.parseInt(arguments[0]));
            System.out.println(highest(database));
            end.execute("SHUTDOWN");
        } finally {
            remove(folder);
        }
    }
}
