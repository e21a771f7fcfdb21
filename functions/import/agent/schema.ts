import * as z from 'zod/mini';
import { agentAuthority, agentItem, email } from '#domain/agents/resource.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { objectId, storedText, textUpTo } from '#platform/contract/primitives.ts';
import { ownedFields } from '../common-fields.ts';
import type { ReadLine } from '../lines.ts';

const name = textUpTo(200);
const nullableName = z._default(z.nullable(z.string().check(z.maxLength(200))), null);
const { creationPath, isArchived, isDeliverable } = agentItem.shape;

/** A producer. Labeled addresses and entities stay as they are when a record leaves them out. */
export const agentRecord = z.strictObject({
  type: z.literal('agent'),
  ...ownedFields,
  npn,
  firstName: name,
  middleName: nullableName,
  lastName: name,
  email: z._default(z.nullable(email), null),
  labeledEmails: z.optional(z.array(z.strictObject({ label: name, email }))),
  isDeliverable: z._default(isDeliverable, false),
  externalId: nullableName,
  authority: z._default(z.array(z.strictObject({ ...agentAuthority.shape })), []),
  downstreamEntityAssociationIds: z._default(z.array(objectId), []),
  downstreamEntityIds: z.optional(z.array(objectId)),
  creationPath: z._default(creationPath, 'import'),
  isUploadedByUpstreamEntity: z.optional(z.boolean()),
  isArchived: z._default(isArchived, false),
});

export type AgentRecord = z.output<typeof agentRecord>;

const isAddress = (address: unknown): boolean =>
  z.safeParse(email, typeof address === 'string' ? storedText(address) : address).success;

const lineWithAddresses = z.looseObject({
  email: z.optional(z.unknown()),
  labeledEmails: z.optional(z.array(z.looseObject({ email: z.unknown() }))),
});

/** A line without email addresses that are not valid, with a note: sale checks need to know the agent in any case. */
export function withoutInvalidAddresses({
  record,
  note,
}: Pick<ReadLine<unknown>, 'record' | 'note'>): unknown {
  const { success, data } = z.safeParse(lineWithAddresses, record);
  if (!success) return record;
  const { email: address = null, labeledEmails, ...rest } = data;
  const isWrong = address !== null && !isAddress(address);
  const validAddresses = labeledEmails?.filter((address) => isAddress(address.email));
  if (!isWrong && validAddresses?.length === labeledEmails?.length) return record;
  note({
    code: 'email_invalid',
    message: 'The agent is imported without the email addresses that are not valid.',
    isCounted: true,
  });
  return {
    ...rest,
    email: isWrong ? null : address,
    ...(validAddresses === undefined ? {} : { labeledEmails: validAddresses }),
  };
}
