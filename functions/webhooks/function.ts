import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as deliveries from './deliver-again.ts';
import { webhookDeps } from './deps.ts';
import * as feed from './list-events.ts';
import * as reads from './read-webhooks.ts';
import { uses } from './uses.ts';
import * as writes from './write-webhooks.ts';

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
export const createWebhooksFunction = apiFunction({
  uses,
  operations: { ...reads, ...writes, ...deliveries, ...feed },
  guards: writeGuards,
  deps: webhookDeps,
});
