"""From a token to a verified receipt, by the Python client of OpenAPI Generator."""
import openapi_client as api

from carrier import BASE_URL, CREDENTIALS, FILE, Receiver, put, verified

anybody = api.ApiClient(api.Configuration(host=BASE_URL))
token = api.AuthNoCredentialApi(anybody).exchange_token(api.TokenRequest(**CREDENTIALS)).data.access_token
client = api.ApiClient(api.Configuration(host=BASE_URL, access_token=token))
print("token", "ok")

question = api.SaleQuestion(
    seller=api.SaleQuestionSeller(npn="8123456"),
    product=api.SaleQuestionProduct(product_code="CGL"),
    state_code=api.StateCode.TX,
)
answers = (
    api.SaleChecksUpstreamEntityApi(client)
    .check_sales(api.CheckSalesRequest(checks=[question], receipt=True))
    .data
)
print("sale check", answers.checks[0].answer)

agents = api.AgentsUpstreamEntityApi(client)
(agent,) = [one.actual_instance.agent for one in agents.list_agents().data if one.actual_instance.agent.npn == "8123456"]
licenses = agents.list_agent_licenses(agent.id).data
print("list", agent.last_name, licenses[0].state_code.value, licenses[0].expiration_date)

announced = api.NewFileDocument(
    category="W9", file_name="w9.pdf", content_type="application/pdf", size_in_bytes=len(FILE)
)
document = api.FileDocumentsUpstreamEntityApi(client).create_file_document(announced).data
print("upload", put(document.upload.to_dict()))

receiver = Receiver()
webhooks = api.WebhooksUpstreamEntityApi(client)
webhook = webhooks.create_webhook(api.NewWebhook(types=["AGENT_CREATED"], url=receiver.url)).data
webhooks.test_webhook(webhook.id)
event = api.AgentCreatedEvent.from_dict(receiver.event(webhook.secret))
print("webhook", event.webhook_type, event.payload.npn)
webhooks.delete_webhook(webhook.id)

feed = webhooks.list_events(types=[api.FeedEventType.AGENT_LICENSE_EXPIRED]).data
print("feed", feed.items[0].actual_instance.payload.license_number)

receipt = verified(answers.jws, api.SaleChecksNoCredentialApi(anybody).get_receipt_keys().keys)
print("receipt", receipt["checks"][0]["answer"], receipt["receiptId"] == answers.receipt_id)
