"""Whether a sale may be made, by the Python client of OpenAPI Generator."""
import os
import openapi_client as api

host = os.environ["BASE_URL"]
request = api.TokenRequest(client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"])
anybody = api.ApiClient(api.Configuration(host=host))
token = api.AuthNoCredentialApi(anybody).exchange_token(request).data.access_token
client = api.ApiClient(api.Configuration(host=host, access_token=token))
seller, product = api.SaleQuestionInputSeller(npn="8123456"), api.SaleQuestionInputProduct(product_code="CGL")
question = api.SaleQuestionInput(seller=seller, product=product, state_code=api.StateCode.TX)
answers = api.SaleChecksUpstreamEntityApi(client).check_sales(api.CheckSalesRequest(checks=[question]))
assert answers.data.checks[0].answer == "yes"
