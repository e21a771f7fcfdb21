import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { redeliverWebhookDelivery, replayWebhookDeliveries, testWebhook } from './deliver-again.ts';
import { webhookDeps } from './deps.ts';
import { listEvents } from './list-events.ts';
import { getWebhook, listWebhookDeliveries, listWebhooks, listWebhooksV1 } from './read-webhooks.ts';
import { uses } from './uses.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  updateWebhookV1,
} from './write-webhooks.ts';

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
export const createWebhooksFunction = apiFunction({
  uses,
  operations: {
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
  },
  guards: writeGuards,
  deps: webhookDeps,
});
