import { redeliverWebhookDelivery, replayWebhookDeliveries, testWebhook } from './deliver-again.ts';
import { listEvents } from './list-events.ts';
import { getWebhook, listWebhookDeliveries, listWebhooks, listWebhooksV1 } from './read-webhooks.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  updateWebhookV1,
} from './write-webhooks.ts';

/** What each row of the webhooks table does; versions share operations. */
export const webhookOperations = {
  listWebhooks,
  listWebhooksV1,
  listEvents,
  createWebhook,
  getWebhook,
  updateWebhook,
  updateWebhookV1,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhookDelivery,
  replayWebhookDeliveries,
};
