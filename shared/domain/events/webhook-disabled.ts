import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';

/** The payload of the event that the service disabled a webhook. */
export const webhookDisabled = object(() => ({
  webhookId: objectId,
  /** Null where the webhook has none. */
  url: z.nullable(z.string()),
  disabledReason: z.string(),
}));
