import * as z from 'zod/mini';
import { agentAuthority, agentItem, email } from '../../../shared/domain/agents/resource.ts';
import { npn } from '../../../shared/domain/identifiers/npn.ts';
import { describedShape } from '../../../shared/platform/contract/described.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { type Line, orAnswered, without } from '../answered-records.ts';
import { ownedFields } from '../common-fields.ts';

const name = z.string().check(z.minLength(1), z.maxLength(200));
const nullableName = z._default(z.nullable(z.string().check(z.maxLength(200))), null);
const { creationPath, isArchived, isDeliverable } = agentItem.shape;

/** Fields that no answer shows stay as they are when a record leaves them out. */
const agentFields = z.strictObject(
  describedShape(
    {
      type: z.literal('agent'),
      ...ownedFields,
      npn,
      firstName: name,
      middleName: nullableName,
      lastName: name,
      email: z._default(z.nullable(email), null),
      labeledEmails: z.optional(
        z.array(
          z.strictObject(
            describedShape({ label: name, email }, DOCUMENTED && { label: 'What the address is for.' }),
          ),
        ),
      ),
      isDeliverable: z._default(isDeliverable, false),
      externalId: nullableName,
      authority: z._default(z.array(z.strictObject({ ...agentAuthority.shape })), []),
      downstreamEntityAssociationIds: z._default(z.array(objectId), []),
      downstreamEntityIds: z.optional(z.array(objectId)),
      creationPath: z._default(creationPath, 'import'),
      isUploadedByUpstreamEntity: z.optional(z.boolean()),
      isArchived: z._default(isArchived, false),
    },
    DOCUMENTED && {
      firstName: 'First name of the agent.',
      middleName: 'Middle name of the agent, if one is known.',
      lastName: 'Last name of the agent.',
      email: 'Primary email address, by which the agent is found.',
      labeledEmails: 'Further email addresses, by which the agent is found, too.',
      externalId: 'Your own id for the agent.',
      authority: 'Products that the agent may sell, or asked to.',
      downstreamEntityAssociationIds: 'Associations that the agent works under.',
      downstreamEntityIds: 'Entities of an agency’s organization that the agent works for.',
      isUploadedByUpstreamEntity:
        'Whether the record came from a carrier; by default, whether a carrier owns it.',
    },
  ),
);

/** An answered agent has its person in a member of its own. */
function flat({ agent, ...answered }: Line): Line {
  const person = z.safeParse(z.record(z.string(), z.unknown()), agent);
  if (!person.success) return agent === undefined ? answered : { agent, ...answered };
  const { downstreamEntityAgentAssociationIds, ...fields } = person.data;
  return { ...answered, ...fields, downstreamEntityAssociationIds: downstreamEntityAgentAssociationIds };
}

/** A producer as operators write it, flat, or as the resource shows it. */
export const agentRecord = orAnswered(agentFields, (answered) =>
  without(flat(answered), 'registryDataSubscription'),
);

export type AgentRecord = z.output<typeof agentRecord>;
