import type { Relationship } from '../../shared/domain/associations/relationship-at.ts';
import { withScope } from '../../shared/domain/contacts/store.ts';
import { marketIdOf } from '../../shared/domain/identifiers/market-id.ts';
import { invalid, invalidAt } from '../../shared/platform/contract/errors.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { foundAt } from '../../shared/platform/errors/domain-error.ts';
import { agencyView } from './agency-contacts.ts';
import type { ContactOperation } from './function.ts';

/**
 * Adds a contact to a market or an entity (OpenAPI, "createAgencyContact"): scope, address and the market's primary are
 * written in one transaction, and all of it is decided again when another request was faster.
 *
 * @throws ApiError `not_found` for a market or entity that is not the organization's; `validation_error` when the entity
 *   does not hold the market; `conflict` for a scope that exists already and for a second primary contact.
 */
export const createAgencyContact: ContactOperation<'createAgencyContact'> = async (
  { identity, body, now, recordResponse },
  { contacts, invitedMarkets, relationshipAt, ownEntity, movesOf, stillOwn },
) => {
  const { organizationId } = identity;
  const { firstName, lastName, email, businessRoles = [], isPrimary = false } = body;
  const market = marketIdOf(body);
  checkScope(body, market);

  /** The entity of the request, or that of the market, which the organization sees only with its entity; and the carrier. */
  const relationshipOf = async (): Promise<Relationship> => {
    if (market === undefined) {
      const looked = ownEntity(organizationId, body.downstreamEntityId ?? '');
      const { _id } = await foundAt('downstreamEntityId', looked);
      return { downstreamEntityId: _id };
    }
    const relationship = await foundAt(market.path, relationshipAt(identity, market.id));
    if ((body.downstreamEntityId ?? relationship.downstreamEntityId) !== relationship.downstreamEntityId) {
      throw invalidAt('downstreamEntityId', 'is not the entity that has the market');
    }
    return relationship;
  };

  return retryOnConflict(async () => {
    const [before, { downstreamEntityId, upstreamEntityId }, moves] = await Promise.all([
      contacts.findByAddress(organizationId, email),
      relationshipOf(),
      movesOf(organizationId),
    ]);
    const scope = {
      ...(market === undefined ? {} : { downstreamEntityAssociationId: market.id }),
      downstreamEntityId,
      downstreamOrganizationId: organizationId,
      ...(upstreamEntityId === undefined ? {} : { upstreamEntityId }),
      namedBy: organizationId,
      isConfirmed: true,
      businessRoles,
      isPrimary,
    };
    const contact = withScope(before, { person: { firstName, lastName, email }, scope }, now);
    // A move that comes between is found by the transaction.
    const data = agencyView({ organizationId, moves, invited: await invitedMarkets([contact]) }, contact);
    await contacts.save(before, contact, [
      stillOwn(organizationId, downstreamEntityId),
      ...recordResponse(data),
    ]);
    return data;
  });
};

/** @throws ApiError `validation_error` naming what a scope needs. */
function checkScope(
  {
    downstreamEntityId,
    isPrimary,
  }: Pick<Parameters<ContactOperation<'createAgencyContact'>>[0]['body'], 'downstreamEntityId' | 'isPrimary'>,
  market: ReturnType<typeof marketIdOf>,
): void {
  if (market === undefined && downstreamEntityId === undefined) {
    const message = 'one of upstreamDownstreamAssociationId and downstreamEntityId is required';
    throw invalid(
      { path: 'upstreamDownstreamAssociationId', message },
      { path: 'downstreamEntityId', message },
    );
  }
  if (isPrimary === true && market === undefined) {
    throw invalidAt('isPrimary', 'requires a market: primary contacts belong to markets');
  }
}
