"""Whether a sale may be made, by the client of openapi-python-client."""
import os
from carrier_client import AuthenticatedClient, Client
from carrier_client.api.auth_no_credential import exchange_token
from carrier_client.api.sale_checks_upstream_entity import check_sales
from carrier_client.models import *

anybody = Client(base_url=os.environ["BASE_URL"], raise_on_unexpected_status=True)
request = TokenRequest(client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"])
token = exchange_token.sync(client=anybody, body=request).data.access_token
client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=token, raise_on_unexpected_status=True)
question = SaleQuestionInput(SaleQuestionInputSeller(npn="8123456"), SaleQuestionInputProduct(product_code="CGL"), StateCode.TX)
assert check_sales.sync(client=client, body=CheckSalesBody([question])).data.checks[0].answer == "yes"
