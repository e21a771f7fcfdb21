// Whether a sale may be made, by the Java client of OpenAPI Generator.
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Generated {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    var credentials = new TokenRequest().clientId(System.getenv("CLIENT_ID")).clientSecret(System.getenv("CLIENT_SECRET"));
    var token = new AuthNoCredentialApi(client).exchangeToken(credentials).getData().getAccessToken();
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + token));
    var question = new SaleQuestionInput().seller(new SaleQuestionInputSeller().npn("8123456"))
        .product(new SaleQuestionInputProduct().productCode("CGL")).stateCode(StateCode.TX);
    var checks = new CheckSalesRequest().addChecksItem(question);
    var answers = new SaleChecksUpstreamEntityApi(client).checkSales(checks, UUID.randomUUID(), null).getData();
    if (!answers.getChecks().get(0).getAnswer().toString().equals("yes")) throw new Exception(answers.toString());
  }
}
