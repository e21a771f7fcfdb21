import * as z from 'zod/mini';
import { businessRole, contact, contactAssociation, personNames } from '#domain/contacts/resource.ts';
import { mostScopes } from '#domain/contacts/stored.ts';
import { commonFields } from '../common-fields.ts';

const { downstreamEntityAssociationId, downstreamEntityId } = contactAssociation.shape;

const scope = z.strictObject({
  downstreamEntityAssociationId,
  downstreamEntityId: downstreamEntityId,
  businessRoles: z._default(z.array(businessRole).check(z.maxLength(20)), []),
  isPrimary: z._default(z.boolean(), false),
});

/** A contact; `_id` is its `contactId`. */
export const contactRecord = z.strictObject({
  type: z.literal('contact'),
  ...commonFields,
  ...personNames.shape,
  email: contact.shape.email,
  isDeliverable: z._default(z.boolean(), false),
  associations: z.array(scope).check(
    z.minLength(1),
    z.maxLength(mostScopes),
    z.refine(
      (scopes) =>
        new Set(scopes.map((scope) => `${scope.downstreamEntityId} ${scope.downstreamEntityAssociationId}`))
          .size === scopes.length,
      { error: 'every scope must be different' },
    ),
  ),
});

export type ContactRecord = z.output<typeof contactRecord>;

/** A scope of a record. */
export type ContactScopeRecord = ContactRecord['associations'][number];
