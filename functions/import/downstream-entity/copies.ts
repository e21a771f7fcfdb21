import * as z from 'zod/mini';
import type { AssociationStore } from '../../../shared/domain/associations/store.ts';
import { agencyCopyOf } from '../../../shared/domain/associations/stored.ts';
import { followEntity } from '../../../shared/domain/contacts/follow.ts';
import { createContactStore } from '../../../shared/domain/contacts/store.ts';
import {
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { existing } from '../../../shared/platform/contract/errors.ts';
import { isDeepStrictEqual } from '../../../shared/platform/data/node-util.ts';
import { retryOnConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';
import type { Issue } from '../../../shared/platform/errors/issue.ts';
import { firstPollsOfAssociation } from '../first-polls.ts';
import type { ImportDependencies } from '../import-type.ts';
import { issuesOf, type RejectedLine } from '../lines.ts';
import { unlessWritten } from '../put-records.ts';

/** An agency's item as an import reads it. */
export const importedEntity = storedItem(
  'downstream-entities/imported-entity',
  z.extend(storedDownstreamEntity, {
    /** Whether copies of it elsewhere, in associations and contacts, may differ from it. */
    hasOldCopies: z.optional(z.boolean()),
  }),
);

export type ImportedEntity = z.output<typeof importedEntity>;

export type EntityDependencies = ImportDependencies<
  'downstreamEntities' | 'associations' | 'contacts' | 'registryRecords'
>;

export function createUpdateCopies(
  { tables, organizations, now, isSilent }: EntityDependencies,
  associations: Pick<AssociationStore, 'withAgency' | 'findStored' | 'save'>,
) {
  const contacts = createContactStore(tables.contacts);
  const table = tables.downstreamEntities;
  const refused = () =>
    new DomainError('state_conflict', { message: 'Another import changed the agency at the same time.' });

  /** Updates the copy in an association, and its market. @param unchanged is written with it. */
  const updateAssociation = (
    { owner, associationId }: { readonly owner: string; readonly associationId: string },
    entity: ImportedEntity,
    unchanged: TransactionItem,
  ): Promise<void> =>
    retryOnConflict(async () => {
      const agency = agencyCopyOf(entity);
      const before = await associations.findStored(owner, associationId);
      const isWith = before?.downstreamEntityId === entity._id;
      if (before === undefined || !isWith || isDeepStrictEqual(before.agency, agency)) return;
      const upstream = existing(await organizations.find(owner));
      const after = { ...before, agency };
      const at = now();
      const change = { before, after, now: at };
      const firstPolls = firstPollsOfAssociation(tables.registryRecords.items, change, isSilent, at);
      await associations.save({ ...change, upstreamEntityName: upstream.name }, [...firstPolls, unchanged]);
    });

  /**
   * Updates the copies of agencies whose copies may be old; returns the lines of which some copy cannot be updated. An agency is
   * marked in the write that changes it, and until this is done, so that any later import of it repairs what a crash left.
   */
  return async (agencies: readonly { readonly entity: ImportedEntity; readonly line: number }[]) => {
    const rejected: RejectedLine[] = [];
    for (const { entity, line } of agencies.filter((one) => one.entity.hasOldCopies === true)) {
      const key = downstreamEntityKeys.entity(entity._id);
      const isUnwritten = unlessWritten(entity);
      const unchanged = table.items.check(key, isUnwritten, refused);
      /** Records that the copies are updated. */
      const finished = table.items.update(key, { hasOldCopies: undefined }, isUnwritten, refused);
      const updates = [
        // Each by itself: what one carrier's association cannot be does not hold up the others.
        ...(await associations.withAgency(entity._id)).map(
          (one) => () => updateAssociation(one, entity, unchanged),
        ),
        () => followEntity(contacts, entity._id, entity.downstreamOrganizationId, now, [unchanged]),
      ];
      const issues: Issue[] = [];
      const attempt = async (work: () => Promise<unknown>): Promise<void> => {
        await work().catch((error: unknown) => issues.push(...issuesOf(error)));
      };
      for (const update of updates) await attempt(update);
      if (issues.length === 0) await attempt(() => table.transact([finished]));
      if (issues.length > 0) rejected.push({ line, issues });
    }
    return rejected;
  };
}
