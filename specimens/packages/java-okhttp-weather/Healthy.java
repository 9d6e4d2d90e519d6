import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Reads the temperature of many towns from a weather service. */
public final class Healthy {
    static final OkHttpClient CLIENT = new OkHttpClient();

    static HttpServer service(ExecutorService workers) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            byte[] degrees = Integer.toString(exchange.getRequestURI().getPath().length() % 30).getBytes();
            exchange.sendResponseHeaders(200, degrees.length);
            exchange.getResponseBody().write(degrees);
            exchange.close();
        });
        server.setExecutor(workers);
        server.start();
        return server;
    }

    static int temperature(String address) throws IOException {
        Request request = new Request.Builder().url(address).build();
        try (Response response = CLIENT.newCall(request).execute()) {
            return Integer.parseInt(response.body().string());
        }
    }

    static long sum(int port, int towns) throws IOException {
        long sum = 0;
        for (int town = 0; town < towns; town++) {
            sum += temperature("http://127.0.0.1:" + port + "/town/" + town);
        }
        return sum;
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ExecutorService workers = Executors.newCachedThreadPool();
        HttpServer service = service(workers);
        System.out.println(sum(service.getAddress().getPort(), Integer.parseInt(arguments[0])));
        service.stop(0);
        workers.shutdown();
    }
}
