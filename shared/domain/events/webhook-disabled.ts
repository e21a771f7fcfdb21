import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';

/** Events that the organization's feed alone has, never a webhook: the fan-out's rule is by webhooks' types. */
export const feedTypes = ['WEBHOOK_DISABLED'] as const;

export type FeedType = (typeof feedTypes)[number];

/** The payload of the event that the service disabled a webhook. */
export const webhookDisabled = object(() => ({
  webhookId: objectId,
  /** Null where the webhook has none. */
  url: z.nullable(z.string()),
  disabledReason: z.string(),
}));
