import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { complianceStatus, statusParts } from '../decision/compliance-statuses.ts';
import { npn } from '../identifiers/npn.ts';

/** Where that producer works. */
export const downstreamEntityAssociationIds = z.array(objectId);

const changedStates = z.array(
  object(() => ({ stateCode, complianceStatus: z.optional(complianceStatus), ...statusParts.shape })),
);

/** What changed of an NPN, by product and state. */
export const changedProducts = z.array(
  object(() => ({ productId: objectId, productName: z.string(), states: changedStates })),
);

/** Payload of `AGENT_COMPLIANCE_STATUS_CHANGE`. */
export const agentComplianceStatusChange = z.array(
  object(() => ({ agentId: objectId, npn, downstreamEntityAssociationIds, products: changedProducts })),
);

/** Payload of `DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE`. */
export const downstreamEntityComplianceStatusChange = z.array(
  object(() => ({
    downstreamEntityAssociationId: objectId,
    legalName: z.string(),
    branchName: z.nullable(z.string()),
    npn: z.nullable(npn),
    products: changedProducts,
  })),
);
