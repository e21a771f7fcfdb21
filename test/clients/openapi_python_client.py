"""From a token to a verified receipt, by the client of openapi-python-client."""
from carrier_client import AuthenticatedClient, Client
from carrier_client.api.agents_upstream_entity import list_agent_licenses, list_agents
from carrier_client.api.auth_no_credential import exchange_token
from carrier_client.api.file_documents_upstream_entity import create_file_document
from carrier_client.api.sale_checks_no_credential import get_receipt_keys
from carrier_client.api.sale_checks_upstream_entity import check_sales
from carrier_client.api.webhooks_upstream_entity import create_webhook, delete_webhook, list_events, test_webhook
from carrier_client.models import *

from carrier import BASE_URL, CREDENTIALS, FILE, Receiver, put, verified

anybody = Client(base_url=BASE_URL, raise_on_unexpected_status=True)
token = exchange_token.sync(client=anybody, body=TokenRequest(**CREDENTIALS)).data.access_token
client = AuthenticatedClient(base_url=BASE_URL, token=token, raise_on_unexpected_status=True)
print("token", "ok")

question = SaleQuestion(SaleQuestionSeller(npn="8123456"), SaleQuestionProduct(product_code="CGL"), StateCode.TX)
answers = check_sales.sync(client=client, body=CheckSalesBody([question], receipt=True)).data
print("sale check", answers.checks[0].answer)

agents = list_agents.sync(client=client).data
(agent,) = [one.agent for one in agents if one.agent.npn == "8123456"]
licenses = list_agent_licenses.sync(agent.field_id, client=client).data
print("list", agent.last_name, licenses[0].state_code, licenses[0].expiration_date)

announced = NewFileDocument(
    NewFileDocumentCategory.W9, "w9.pdf", NewFileDocumentContentType.APPLICATIONPDF, len(FILE)
)
document = create_file_document.sync(client=client, body=announced).data
print("upload", put(document.upload.to_dict()))

receiver = Receiver()
webhook = create_webhook.sync(client=client, body=NewWebhook([WebhookTypeInput.AGENT_CREATED], receiver.url)).data
test_webhook.sync(webhook.field_id, client=client)
event = AgentCreatedEvent.from_dict(receiver.event(webhook.secret))
print("webhook", event.webhook_type, event.payload.npn)
delete_webhook.sync(webhook.field_id, client=client)

feed = list_events.sync(client=client, types=[FeedEventType.AGENT_LICENSE_EXPIRED]).data
print("feed", feed.items[0].payload.license_number)

receipt = verified(answers.jws, get_receipt_keys.sync(client=anybody).keys)
print("receipt", receipt["checks"][0]["answer"], receipt["receiptId"] == answers.receipt_id)
