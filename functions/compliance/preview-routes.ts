import * as z from 'zod/mini';
import { statusOfParty } from '../../shared/domain/compliance/compliance-rows.ts';
import { requiredStates } from '../../shared/domain/compliance/resource.ts';
import { object, strictObject } from '../../shared/platform/contract/object.ts';
import { objectId, stateCode } from '../../shared/platform/contract/primitives.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

export const proposedStates = strictObject(() => ({ states: requiredStates() }));

/** A party whose status in a state would be another one. */
export const previewedChange = object(() => ({
  party: z.enum(['agent', 'agency']),
  agentId: z.nullable(objectId),
  downstreamEntityAssociationId: z.nullable(objectId),
  stateCode,
  before: object(() => statusOfParty.shape),
  after: object(() => statusOfParty.shape),
  policies: z.int().check(z.gte(0)),
}));

export type PreviewedChange = z.output<typeof previewedChange>;

export const previewComplianceConfig = {
  method: 'POST',
  path: '/v2/upstream/compliance-configs/{productId}/preview',
  access: { kind: 'upstream', feature: 'compliance' },
  takesUnknownIds: true,
  body: proposedStates,
  answer: { status: 200, all: previewedChange },
} as const satisfies Route;
