import type { TableItems } from '../../platform/data/table-items.ts';
import { complianceInputsChanged } from '../events/stored.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import { subscriptionIdOf } from '../registry-records/stored.ts';
import type { FormerIdentity } from './carrier-identity.ts';

export type InputEventItems = EventItems<'COMPLIANCE_INPUTS_CHANGED'>;

export const createInputEventItems = (outbox: TableItems): InputEventItems =>
  eventItemsOf(outbox, { COMPLIANCE_INPUTS_CHANGED: complianceInputsChanged });

/** Records of an NPN changed on which its compliance depends. */
export const recordsChanged = (owner: string, npn: string): NewEvent<'COMPLIANCE_INPUTS_CHANGED'> => ({
  type: 'COMPLIANCE_INPUTS_CHANGED',
  upstreamEntityId: owner,
  entityId: subscriptionIdOf(owner, npn),
  payload: { npn },
});

/** What the registry knows the carrier by changed, and with it whose appointments count, for every NPN. */
export const carrierChanged = (
  owner: string,
  carrierBefore: FormerIdentity,
): NewEvent<'COMPLIANCE_INPUTS_CHANGED'> => ({
  type: 'COMPLIANCE_INPUTS_CHANGED',
  upstreamEntityId: owner,
  entityId: owner,
  payload: { carrierBefore },
});

/** The requirements of one of the owner's products changed, for every NPN. */
export const configChanged = (owner: string, productId: string): NewEvent<'COMPLIANCE_INPUTS_CHANGED'> => ({
  type: 'COMPLIANCE_INPUTS_CHANGED',
  upstreamEntityId: owner,
  entityId: productId,
  payload: {},
});
