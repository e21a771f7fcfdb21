import type { Association } from '../../shared/domain/associations/resource.ts';
import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { isLive, type StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { type AssociationSources, associationViews } from '../../shared/domain/associations/view.ts';
import { isUnchangedSince, tombstone } from '../../shared/platform/changes/change-index.ts';
import type { DeletedRecord } from '../../shared/platform/contract/updated-since.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';

interface ChangeSources extends AssociationSources {
  readonly associations: AssociationStore;
}

type Listed = Association | DeletedRecord;

/** Associations as their carrier sees them; one that its list does not have is gone. */
async function listed(
  owner: string,
  found: readonly StoredAssociation[],
  sources: AssociationSources,
): Promise<Listed[]> {
  const shown = await associationViews(owner, found.filter(isLive), sources);
  const ids = new Set(shown.map(({ _id }) => _id));
  return [...shown, ...found.filter(({ _id }) => !ids.has(_id)).map(tombstone)];
}

/** NPNs whose associations are read at once. */
const concurrency = 16;

/**
 * The associations of an owner that changed at a time or later, and those that show a subscription or an agency that did,
 * one database page at a time. The latter are found when they are asked for: an agency's change is one write, however many
 * carriers show it, so that none of them can miss it because something failed after it.
 */
export async function* changedAssociations(
  owner: string,
  since: string,
  sources: ChangeSources,
): AsyncGenerator<Listed[]> {
  const { associations, entities, registryRecords } = sources;
  const own = associations.changedSince(owner, since);
  const ofSubscriptions = registryRecords.npnsChangedSince(owner, since);
  const ofAgencies = entities.changedSince(since);
  const others = (found: readonly StoredAssociation[]) =>
    listed(owner, found.filter(isUnchangedSince(since)), sources);

  for await (const page of own) yield listed(owner, page, sources);
  for await (const npns of ofSubscriptions) {
    const found = await mapConcurrently(npns, concurrency, (npn) => collect(associations.ofNpn(owner, npn)));
    yield others(found.flat());
  }
  for await (const ids of ofAgencies) yield others(await associations.ofEntities(owner, ids));
}
