import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { complianceStatus, statusParts } from '../compliance/compliance-statuses.ts';
import { agentId, downstreamEntityAssociationId, productId } from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';

/** Where that producer works. */
export const downstreamEntityAssociationIds = described(
  z.array(objectId),
  DOCUMENTED && { description: 'Ids of the associations that the agent works under; may be empty.' },
);

const changedStates = z.array(
  lazyObject(() => ({
    ...describedShape(
      { stateCode, complianceStatus: z.optional(complianceStatus) },
      DOCUMENTED && {
        stateCode: 'State in which a status changed.',
        complianceStatus: 'Overall result of the two statuses; absent for a state that was removed.',
      },
    ),
    ...statusParts(DOCUMENTED && { STATE_REMOVED: 'The product no longer lists the state.' }),
  })),
);

const products = z.array(
  lazyObject(() =>
    describedShape(
      { productId, productName: z.string(), states: changedStates },
      DOCUMENTED && {
        productName: 'Name of the product in its compliance config.',
        states: 'States in which a status changed, with their present statuses.',
      },
    ),
  ),
);

/** Payload of `AGENT_COMPLIANCE_STATUS_CHANGE`. */
export const agentComplianceStatusChange = z.array(
  lazyObject(() =>
    describedShape(
      { agentId, npn, downstreamEntityAssociationIds, products },
      DOCUMENTED && {
        npn: 'NPN whose licenses and appointments were checked.',
        products: 'Products for which a status changed in at least one state.',
      },
    ),
  ),
);

/** Payload of `DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE`. */
export const downstreamEntityComplianceStatusChange = z.array(
  lazyObject(() =>
    describedShape(
      {
        downstreamEntityAssociationId,
        legalName: z.string(),
        branchName: z.nullable(z.string()),
        npn: z.nullable(npn),
        products,
      },
      DOCUMENTED && {
        legalName: 'Name under which the agency is registered.',
        branchName: 'The branch that the association is with; null if it is with the whole agency.',
        npn: 'NPN whose licenses and appointments were checked; null for an agency without one.',
        products: 'Products for which a status changed in at least one state.',
      },
    ),
  ),
);
