import * as z from 'zod/mini';
import { strictObject } from '../../platform/contract/object.ts';
import { stateCode, stateCodes } from '../../platform/contract/primitives.ts';

/** Which events of its types a webhook is sent. */
export const webhookFilter = strictObject(() => ({
  stateCodes: z.optional(
    z.array(stateCode).check(
      z.minLength(1),
      z.maxLength(stateCodes.length),
      z.refine((given) => new Set(given).size === given.length, 'lists a state more than once'),
    ),
  ),
}));

export type WebhookFilter = z.output<typeof webhookFilter>;

/** The states that the payload of an event names, each once. */
export const statesOf = (payload: unknown): readonly string[] => [...new Set(namedIn(payload))];

const namedIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) =>
        name === 'stateCode' && typeof member === 'string' ? [member] : namedIn(member),
      )
    : [];

/** Whether a webhook is sent an event that names these states: one without a state always, another if one is wanted. */
export const passes = (filter: WebhookFilter | null, states: readonly string[] = []): boolean =>
  states.length === 0 ||
  filter?.stateCodes === undefined ||
  filter.stateCodes.some((state) => states.includes(state));
