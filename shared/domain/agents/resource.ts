import * as z from 'zod/mini';
import { objectId, recordTimes, stateCode } from '#platform/contract/primitives.ts';
import { npn, producerNames } from '../identifiers/identifiers.ts';
import { registryDataSubscription } from '../registry-records/resources.ts';

/** The product for which an agent requested authority, and where it was granted. */
export const agentAuthority = z.object({
  upstreamEntityProductId: objectId,
  requestedStates: z.array(stateCode),
  approvedStates: z.array(stateCode),
});

/** Whether messages reach someone's address. */
export const isDeliverable = z.boolean();

/**
 * A mailbox of RFC 5321 (section 4.1.2) whose local part is atoms and whose domain ends with a name: letters, or the ASCII form of
 * an internationalized one.
 */
const mailbox =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Z\d][A-Z\d-]*\.)+(?:[A-Z]{2,}|xn--[A-Z\d-]*[A-Z\d])$/i;

/** An e-mail address as it is shown; it is compared without regard to case. */
export const email = z.string().check(z.maxLength(254), z.email({ pattern: mailbox }));

/** A producer as an organization knows it. */
export const agentItem = z.object({
  agent: z.object({
    _id: objectId,
    npn,
    ...producerNames.shape,
    downstreamEntityAgentAssociationIds: z.array(objectId),
    ...recordTimes.shape,
  }),
  creationPath: z.string(),
  registryDataSubscription: z.nullable(registryDataSubscription),
  isUploadedByUpstreamEntity: z.boolean(),
  isDeleted: z.boolean(),
  isArchived: z.boolean(),
  authority: z.array(agentAuthority),
  email: z.nullable(email),
  isDeliverable,
  externalId: z.nullable(z.string()),
});

export type AgentItem = z.output<typeof agentItem>;

/** A producer as the agency that employs it sees it. */
export const agencyProducer = z.object({
  _id: objectId,
  npn,
  ...producerNames.shape,
  email: z.nullable(email),
  isDeliverable,
  externalId: z.nullable(z.string()),
  downstreamEntityIds: z.array(objectId),
  isArchived: z.boolean(),
  ...recordTimes.shape,
});
