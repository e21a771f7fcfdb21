// Java 17 or later, without libraries: use your own for JSON, in place of `field`.
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.*;
import java.security.spec.*;
import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Client {
  static final String BASE_URL = System.getenv("BASE_URL");
  static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Sends a request, and again while that can help; a write has one idempotency key for all attempts. */
  static String send(String method, String path, String body, String token) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(BASE_URL + path))
        .timeout(Duration.ofSeconds(60))
        .header("content-type", "application/json")
        .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (token != null) request.header("authorization", "Bearer " + token);
    if (token != null && !method.equals("GET")) request.header("idempotency-key", UUID.randomUUID().toString());
    for (int attempt = 1; ; attempt++) {
      double wait = Math.min(1 << attempt, 60) * (0.5 + Math.random() / 2);
      try {
        var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() < 300) return response.body();
        var retryAfter = response.headers().firstValue("retry-after");
        if (attempt == 6 || (retryAfter.isEmpty() && response.statusCode() < 500)) throw new IllegalStateException(response.body());
        wait += Integer.parseInt(retryAfter.orElse("0"));
      } catch (java.io.IOException failure) { // Was it executed? With the same key it is executed once.
        if (attempt == 6) throw failure;
      }
      Thread.sleep((long) (wait * 1_000));
    }
  }

  /** The first text of a name in a JSON document. */
  static String field(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"").matcher(json);
    if (!found.find()) throw new NoSuchElementException(name);
    return found.group(1);
  }

  /** A token, valid for `expiresIn` seconds: share it. */
  static String accessToken() throws Exception {
    var credentials = "{\"clientId\": \"%s\", \"clientSecret\": \"%s\"}";
    var body = credentials.formatted(System.getenv("CLIENT_ID"), System.getenv("CLIENT_SECRET"));
    return field(send("POST", "/v2/auth/jwt", body, null), "accessToken");
  }

  /** One check, with a signed receipt. */
  static String maySell(String token, String npn, String productCode, String stateCode) throws Exception {
    var check = "{\"seller\": {\"npn\": \"%s\"}, \"product\": {\"productCode\": \"%s\"}, \"stateCode\": \"%s\"}"
        .formatted(npn, productCode, stateCode);
    return send("POST", "/v2/upstream/sale-checks", "{\"receipt\": true, \"checks\": [" + check + "]}", token);
  }

  /** The signed payload of a receipt. */
  static String verifyReceipt(String jws) throws Exception {
    var decoder = Base64.getUrlDecoder();
    var parts = jws.split("\\.");
    var kid = field(new String(decoder.decode(parts[0]), UTF_8), "kid");
    var key = Arrays.stream(send("GET", "/v2/jwks.json", null, null).split("\\}"))
        .filter(one -> one.contains(kid)).findFirst().orElseThrow();
    var curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    var point = new ECPoint(new BigInteger(1, decoder.decode(field(key, "x"))), new BigInteger(1, decoder.decode(field(key, "y"))));
    var publicKey = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(KeyFactory.getInstance("EC").generatePublic(publicKey));
    signature.update((parts[0] + "." + parts[1]).getBytes(UTF_8));
    if (!signature.verify(decoder.decode(parts[2]))) throw new SignatureException("Not signed by this service.");
    return new String(decoder.decode(parts[1]), UTF_8);
  }

  /** Whether this service sent a delivery within the last minutes. For a day after a rotation it has a signature of each secret. */
  static boolean isGenuine(Headers headers, byte[] body) throws Exception {
    var timestamp = headers.getFirst("webhook-timestamp");
    var mac = Mac.getInstance("HmacSHA256");
    var key = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", ""));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
    var own = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    var isOurs = Arrays.stream(headers.getFirst("webhook-signature").split(" "))
        .anyMatch(given -> MessageDigest.isEqual(own, given.getBytes(UTF_8)));
    return isOurs && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) < 300;
  }

  static void receive(int port) throws Exception {
    System.setProperty("sun.net.httpserver.maxReqTime", "10"); // Seconds for which a sender may take.
    var server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext("/", exchange -> {
      var body = exchange.getRequestBody().readNBytes(1 << 20);
      boolean isGenuine;
      try {
        isGenuine = isGenuine(exchange.getRequestHeaders(), body);
      } catch (Exception malformed) {
        isGenuine = false;
      }
      exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
      // Keep the event first, then work on it; drop an eventId that is known.
      if (isGenuine) System.out.println(field(new String(body, UTF_8), "webhookType"));
    });
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  public static void main(String[] arguments) throws Exception {
    var answer = maySell(accessToken(), "8123456", "CGL", "TX");
    System.out.println(field(answer, "answer") + " " + field(verifyReceipt(field(answer, "jws")), "receiptId"));
    receive(Integer.parseInt(Objects.requireNonNullElse(System.getenv("PORT"), "8080")));
  }
}
