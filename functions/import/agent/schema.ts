import * as z from 'zod/mini';
import { objectId } from '../../../shared/contract/primitives.ts';
import { agentAuthority, agentItem, email } from '../../../shared/resources/agent.ts';
import { npn } from '../../../shared/resources/npn.ts';
import { ownedFields } from '../common-fields.ts';

const name = z.string().check(z.minLength(1), z.maxLength(200));
const nullableName = z._default(z.nullable(z.string().check(z.maxLength(200))), null);
const { creationPath, isArchived, isDeliverable } = agentItem.shape;

/** A producer as the resource shows it. */
export const agentRecord = z.strictObject({
  type: z.literal('agent'),
  ...ownedFields,
  npn,
  firstName: name,
  middleName: nullableName,
  lastName: name,
  email: z._default(z.nullable(email), null),
  labeledEmails: z._default(z.array(z.strictObject({ label: name, email })), []),
  isDeliverable: z._default(isDeliverable, false),
  externalId: nullableName,
  authority: z._default(z.array(z.strictObject({ ...agentAuthority.shape })), []),
  downstreamEntityAssociationIds: z._default(z.array(objectId), []),
  /** Entities of a downstream organization that the agent works for. */
  downstreamEntityIds: z._default(z.array(objectId), []),
  creationPath: z._default(creationPath, 'import'),
  isUploadedByUpstreamEntity: z.optional(z.boolean()),
  isArchived: z._default(isArchived, false),
});

export type AgentRecord = z.output<typeof agentRecord>;
