import type { DownstreamEntity } from '../downstream-entities/resource.ts';
import type { DownstreamEntities, StoredDownstreamEntity } from '../downstream-entities/stored.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import type { RegistryRecords } from '../registry-records/store.ts';
import type { Association } from './resource.ts';
import type { StoredAssociation } from './stored.ts';

/** Where the agencies and subscriptions come from that an association is shown with. */
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
  stored: StoredAssociation,
  entity: StoredDownstreamEntity,
  subscription: RegistryDataSubscription | undefined,
): Association => ({
  _id: stored._id,
  downstreamEntity: agencyView(entity, stored),
  registryDataSubscription: subscription ?? null,
  externalId: stored.externalId,
  producerCode: stored.producerCode,
  branchName: stored.branchName,
  parentDownstreamEntityAssociationId: stored.parentDownstreamEntityAssociationId,
  status: stored.status,
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
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
  const [found, subscriptions] = await Promise.all([
    entities.findAll(associations.map(({ downstreamEntityId }) => downstreamEntityId)),
    registryRecords.subscriptionsOf(
      owner,
      associations.flatMap(({ agency }) => agency.npn ?? []),
    ),
  ]);
  return associations.flatMap((one) => {
    const entity = found.get(one.downstreamEntityId);
    return entity === undefined
      ? []
      : [associationView(one, entity, subscriptions.get(one.agency.npn ?? ''))];
  });
}
