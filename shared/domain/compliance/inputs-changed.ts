import { derivedObjectId } from '../../platform/data/keys.ts';
import type { TableItems } from '../../platform/data/table.ts';
import type { FormerIdentity } from '../decision/carrier.ts';
import { complianceInputsChanged } from '../events/stored.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import type { License } from '../registry/resources.ts';
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

/** What the registry knows the carrier by changed, and with it whose appointments count, for every NPN. */
export const carrierChanged = (owner: string, carrierBefore: FormerIdentity): InputsChanged =>
  inputsChanged(owner, owner, { carrierBefore });

/** What is said of classes of licenses in a state changed, for every NPN with a license there. */
export const classKindsChanged = (owner: string, stateCode: License['stateCode']): InputsChanged =>
  inputsChanged(owner, derivedObjectId(owner, 'class-kinds', stateCode), { stateCode });

/** The requirements of one of the owner's products changed, for every NPN. */
export const configChanged = (owner: string, productId: string): InputsChanged =>
  inputsChanged(owner, productId, {});
