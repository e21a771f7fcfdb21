// From a token to a verified receipt, by the Java client of OpenAPI Generator.
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

import static java.nio.charset.StandardCharsets.UTF_8;

public class OpenapiGenerator {
  static final byte[] FILE = "%PDF-1.4\n%%EOF\n".getBytes(UTF_8);

  /** A delivery: its headers and its body. */
  record Delivery(String timestamp, String signature, byte[] body) {
    /** Whether this service signed it. */
    boolean isSignedWith(String secret) throws GeneralSecurityException {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
      mac.update((timestamp + ".").getBytes(UTF_8));
      return MessageDigest.isEqual(HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8), signature.getBytes(UTF_8));
    }

    static Delivery of(HttpExchange exchange) throws java.io.IOException {
      var headers = exchange.getRequestHeaders();
      var body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(204, -1);
      return new Delivery(headers.getFirst("x-service-timestamp"), headers.getFirst("x-service-signature"), body);
    }
  }

  /** Sends the announced file where the service wants it. */
  static int put(FileUpload upload) throws Exception {
    var request = HttpRequest.newBuilder(upload.getUrl()).PUT(HttpRequest.BodyPublishers.ofByteArray(FILE));
    upload.getHeaders().forEach((name, value) -> {
      if (!name.equalsIgnoreCase("content-length")) request.header(name, value);
    });
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  /** The signed payload of a receipt. */
  static Map<?, ?> verified(String jws, List<JsonWebKey> keys, ObjectMapper json) throws Exception {
    var decoder = Base64.getUrlDecoder();
    var parts = jws.split("\\.");
    var kid = json.readTree(decoder.decode(parts[0])).get("kid").asText();
    var key = keys.stream().filter(one -> one.getKid().equals(kid)).findFirst().orElseThrow();
    var curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    var point = new ECPoint(new BigInteger(1, decoder.decode(key.getX())), new BigInteger(1, decoder.decode(key.getY())));
    var publicKey = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(KeyFactory.getInstance("EC").generatePublic(publicKey));
    signature.update((parts[0] + "." + parts[1]).getBytes(UTF_8));
    if (!signature.verify(decoder.decode(parts[2]))) throw new SignatureException("Not signed by this service.");
    return json.readValue(decoder.decode(parts[1]), Map.class);
  }

  public static void main(String[] arguments) {
    try {
      go();
      System.exit(0);
    } catch (Exception failure) {
      // Its receiver would keep a program that failed alive.
      failure.printStackTrace();
      System.exit(1);
    }
  }

  static void go() throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    var credentials = new TokenRequest().clientId(System.getenv("CLIENT_ID")).clientSecret(System.getenv("CLIENT_SECRET"));
    var token = new AuthNoCredentialApi(client).exchangeToken(credentials).getData().getAccessToken();
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + token));
    System.out.println("token ok");

    var question = new SaleQuestion().seller(new SaleQuestionSeller().npn("8123456"))
        .product(new SaleQuestionProduct().productCode("CGL")).stateCode(StateCode.TX);
    var checks = new CheckSalesRequest().addChecksItem(question).receipt(true);
    var answers = new SaleChecksUpstreamEntityApi(client).checkSales(checks, UUID.randomUUID(), null).getData();
    System.out.println("sale check " + answers.getChecks().get(0).getAnswer());

    var agents = new AgentsUpstreamEntityApi(client);
    var agent = agents.listAgents(null, null, null, null, null, null, null).getData().stream()
        .map(one -> one.getAgent().getAgent()).filter(one -> one.getNpn().equals("8123456")).findFirst().orElseThrow();
    var license = agents.listAgentLicenses(agent.getId(), null, null, null, null).getData().get(0);
    System.out.println("list " + agent.getLastName() + " " + license.getStateCode() + " " + license.getExpirationDate());

    var announced = new NewFileDocument().category(NewFileDocument.CategoryEnum.W9).fileName("w9.pdf")
        .contentType(NewFileDocument.ContentTypeEnum.APPLICATION_PDF).sizeInBytes(FILE.length);
    var document = new FileDocumentsUpstreamEntityApi(client).createFileDocument(announced, UUID.randomUUID(), null).getData();
    System.out.println("upload " + put(document.getUpload()));

    var delivered = new CompletableFuture<Delivery>();
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> delivered.complete(Delivery.of(exchange)));
    receiver.start();
    var webhooks = new WebhooksUpstreamEntityApi(client);
    var requested = new NewWebhook().url("http://127.0.0.1:" + receiver.getAddress().getPort() + "/")
        .addTypesItem(WebhookTypeInput.AGENT_CREATED);
    var webhook = webhooks.createWebhook(requested, null, null).getData();
    webhooks.testWebhook(webhook.getId(), null, null, new WebhookTest());
    var delivery = delivered.get();
    if (!delivery.isSignedWith(webhook.getSecret())) throw new SignatureException("The delivery is not signed by this service.");
    var event = client.getObjectMapper().readValue(delivery.body(), AgentCreatedEvent.class);
    System.out.println("webhook " + event.getWebhookType() + " " + event.getPayload().getNpn());
    webhooks.deleteWebhook(webhook.getId(), null, null);

    var feed = webhooks.listEvents(null, Set.of(FeedEventType.AGENT_LICENSE_EXPIRED), null).getData();
    System.out.println("feed " + ((AgentLicenseExpiredEvent) feed.getItems().get(0).getActualInstance()).getPayload().getLicenseNumber());

    var receipt = verified(answers.getJws(), new SaleChecksNoCredentialApi(client).getReceiptKeys().getKeys(), client.getObjectMapper());
    System.out.println("receipt " + answers.getReceiptId().equals(receipt.get("receiptId")));
  }
}
