import type { DownstreamEntity } from '../downstream-entities/resource.ts';
import type { DownstreamEntities, StoredDownstreamEntity } from '../downstream-entities/stored.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import type { RegistryRecords } from '../registry-records/store.ts';
import type { Association } from './resource.ts';
import type { StoredAssociation } from './stored.ts';

/** Stores of the agencies and subscriptions that an association is shown with. */
export interface AssociationSources {
  readonly entities: DownstreamEntities;
  readonly registryRecords: RegistryRecords;
}

/**
 * An agency as its association shows it. Of one that has not agreed yet the carrier sees what identifies it, not its
 * employer's number.
 */
export const agencyView = (
  { _id, legalName, category, npn, ein, isNpnRequired }: DownstreamEntity,
  { status }: Pick<StoredAssociation, 'status'>,
): DownstreamEntity => ({
  _id,
  legalName,
  category,
  npn,
  ein: status === 'invited' ? null : ein,
  isNpnRequired,
});

/** An association as its carrier sees it. */
export const associationView = (
  storedAssociation: StoredAssociation,
  entity: StoredDownstreamEntity,
  subscription: RegistryDataSubscription | undefined,
): Association => ({
  _id: storedAssociation._id,
  downstreamEntity: agencyView(entity, storedAssociation),
  registryDataSubscription: subscription ?? null,
  externalId: storedAssociation.externalId,
  producerCode: storedAssociation.producerCode,
  branchName: storedAssociation.branchName,
  parentDownstreamEntityAssociationId: storedAssociation.parentDownstreamEntityAssociationId,
  status: storedAssociation.status,
  createdAt: storedAssociation.createdAt,
  updatedAt: storedAssociation.updatedAt,
});

/**
 * Associations of one owner as it sees them. An association holds its agency's id and NPN, so agency and subscription are
 * read after it, both at once.
 */
export async function associationViews(
  owner: string,
  associations: readonly StoredAssociation[],
  { entities, registryRecords }: AssociationSources,
): Promise<Association[]> {
  const [entitiesOfPage, subscriptions] = await Promise.all([
    entities.findAll(associations.map(({ downstreamEntityId }) => downstreamEntityId)),
    registryRecords.subscriptionsOf(
      owner,
      associations.flatMap(({ agency }) => agency.npn ?? []),
    ),
  ]);
  return associations.flatMap((entry) => {
    const entity = entitiesOfPage.get(entry.downstreamEntityId);
    return entity === undefined
      ? []
      : [associationView(entry, entity, subscriptions.get(entry.agency.npn ?? ''))];
  });
}
