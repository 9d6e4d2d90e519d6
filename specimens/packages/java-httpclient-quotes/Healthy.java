import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Asks a market for the prices of many papers, with sixteen workers; the market takes its time. */
public final class Healthy {
    static void answer(HttpExchange exchange) {
        try (exchange) {
            byte[] price = Integer.toString(exchange.getRequestURI().getPath().hashCode() & 1023).getBytes();
            exchange.sendResponseHeaders(200, price.length);
            exchange.getResponseBody().write(price);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    static HttpServer market(ScheduledExecutorService desk) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> desk.schedule(() -> answer(exchange), 30, TimeUnit.MILLISECONDS));
        server.start();
        return server;
    }

    static CloseableHttpClient client() {
        return HttpClients.custom().disableCookieManagement().setMaxConnPerRoute(16).build();
    }

    static int price(CloseableHttpClient client, String address) throws IOException {
        return client.execute(new HttpGet(address), reply -> Integer.parseInt(EntityUtils.toString(reply.getEntity())));
    }

    static long prices(int port, int papers) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(16);
        try (CloseableHttpClient client = client()) {
            List<Future<Integer>> asked = new ArrayList<>();
            for (int paper = 0; paper < papers; paper++) {
                String address = "http://127.0.0.1:" + port + "/paper/" + paper;
                asked.add(workers.submit(() -> price(client, address)));
            }
            long total = 0;
            for (Future<Integer> one : asked) {
                total += one.get();
            }
            return total;
        } finally {
            workers.shutdown();
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ScheduledExecutorService desk = Executors.newScheduledThreadPool(2);
        HttpServer market = market(desk);
        System.out.println(prices(market.getAddress().getPort(), Integer.parseInt(arguments[0])));
        market.stop(0);
        desk.shutdown();
    }
}
