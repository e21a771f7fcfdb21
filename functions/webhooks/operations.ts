import { redeliverWebhookDelivery, replayWebhookDeliveries, testWebhook } from './deliver-again.ts';
import { listEvents } from './list-events.ts';
import { getWebhook, listWebhookDeliveries, listWebhooks } from './read-webhooks.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './write-webhooks.ts';

/** What each row of the webhooks table does; versions share operations. */
export const webhookOperations = {
  listWebhooks,
  listWebhooksV1: listWebhooks,
  listEvents,
  createWebhook,
  getWebhook,
  updateWebhook,
  updateWebhookV1: updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhookDelivery,
  replayWebhookDeliveries,
};
