import { derivedObjectId } from '#platform/data/keys.ts';
import type { TableItems } from '#platform/data/table.ts';
import { complianceInputsChanged } from '../events/stored.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import { subscriptionIdOf } from '../registry-records/stored.ts';

export type InputEventItems = EventItems<'COMPLIANCE_INPUTS_CHANGED'>;

export const createInputEventItems = (outbox: TableItems): InputEventItems =>
  eventItemsOf(outbox, { COMPLIANCE_INPUTS_CHANGED: complianceInputsChanged });

type InputsChanged = NewEvent<'COMPLIANCE_INPUTS_CHANGED'>;

const inputsChanged = (
  upstreamEntityId: string,
  entityId: string,
  payload: InputsChanged['payload'],
): InputsChanged => ({ type: 'COMPLIANCE_INPUTS_CHANGED', upstreamEntityId, entityId, payload });

/** Records of an NPN changed on which its compliance depends. */
export const recordsChanged = (owner: string, npn: string): InputsChanged =>
  inputsChanged(owner, subscriptionIdOf(owner, npn), { npn });

/** The names of the carrier in the registry changed, and with them whose appointments count, for every NPN. */
export const carrierChanged = (owner: string): InputsChanged => inputsChanged(owner, owner, {});

/** The kinds of classes of licenses changed, for every NPN. */
export const classKindsChanged = (owner: string): InputsChanged =>
  inputsChanged(owner, derivedObjectId(owner, 'class-kinds'), {});

/** The requirements of one of the owner's products changed, for every NPN. */
export const configChanged = (owner: string, productId: string): InputsChanged =>
  inputsChanged(owner, productId, {});
