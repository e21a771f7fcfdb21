import { agencyChangeWrites } from '../../../shared/domain/associations/sharing.ts';
import { createAssociationStore } from '../../../shared/domain/associations/store.ts';
import { agencyCopyOf } from '../../../shared/domain/associations/stored.ts';
import { keptRecordOwner, moveWrites } from '../../../shared/domain/downstream-entities/entity-moves.ts';
import {
  agencyChangeMark,
  downstreamEntityIndexes,
  downstreamEntityKeys,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { firstPollItem, firstPollOfOwnEntity } from '../../../shared/domain/registry-records/poll-items.ts';
import { groupBy } from '../../../shared/platform/data/group-by.ts';
import { isDeepStrictEqual } from '../../../shared/platform/data/node-util.ts';
import { parseIfStored } from '../../../shared/platform/data/stored.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import type { Organization } from '../../../shared/platform/identity/organization.ts';
import { checkOrganization, type ImportType, parseLines } from '../import-type.ts';
import { issuesOf, type RejectedLine } from '../lines.ts';
import { putRecords } from '../put-records.ts';
import {
  createUpdateCopies,
  type EntityDependencies,
  type ImportedEntity,
  importedEntity,
} from './copies.ts';
import { createEntityEvents } from './events.ts';
import { createEntityIds } from './ids.ts';
import {
  type DownstreamEntityLine,
  downstreamEntityRecord,
  entityOf,
  itemOf,
  withEarlier,
} from './schema.ts';
import { createReadSharing, createRecordSharing, othersAgencies } from './sharing.ts';

/**
 * Imports agencies; returns the lines that it rejected.
 * @param caller the organization of the import, or else of the line; undefined for an operator's.
 */
type ImportDownstreamEntities = (
  lines: readonly DownstreamEntityLine[],
  caller: Organization | undefined,
) => Promise<RejectedLine[]>;

/** Whose entity an agency is, with which NPN. */
type OwnEntity = Pick<ImportedEntity, 'npn' | 'downstreamOrganizationId' | 'isDeleted'>;

export function createDownstreamEntityImport(dependencies: EntityDependencies): ImportDownstreamEntities {
  const { tables, organizations, now, events, isSilent } = dependencies;
  const associations = createAssociationStore(tables.associations);
  const updateCopies = createUpdateCopies(dependencies, associations);

  /** Splits off the lines whose organization can't have an agency. */
  async function checked(lines: readonly DownstreamEntityLine[]) {
    const good: DownstreamEntityLine[] = [];
    const rejected: RejectedLine[] = [];
    const groups = groupBy(lines, ({ record }) => record.downstreamOrganizationId ?? '');
    for (const [organizationId, group] of groups) {
      try {
        if (organizationId !== '') {
          await checkOrganization(
            organizations,
            'downstreamOrganizationId',
            organizationId,
            'downstreamEntity',
          );
        }
        good.push(...group);
      } catch (error) {
        const issues = issuesOf(error);
        rejected.push(...group.map(({ line }) => ({ line, issues })));
      }
    }
    return { good: withEarlier(good), rejected };
  }

  /**
   * The lines about agencies that the caller may change; about others, where somebody else has a say, it gets a note.
   */
  async function changeable(
    lines: readonly DownstreamEntityLine[],
    caller: Organization | undefined,
  ): Promise<readonly DownstreamEntityLine[]> {
    if (caller === undefined) return lines;
    const others = await othersAgencies(await storedOf(lines), caller, sharingOf);
    return lines.filter(({ record, note }) => {
      const isOthers = others.has(record._id);
      if (isOthers)
        note({
          code: 'not_changed',
          message: 'The agency is not changed: others work with it, or it has an organization.',
        });
      return !isOthers;
    });
  }

  /** The agencies of lines as they are stored now, each with its last line. */
  async function storedOf(lines: readonly DownstreamEntityLine[]) {
    const last = new Map(lines.map((one) => [one.record._id, one]));
    const keys = Array.from(last.keys(), (id) => downstreamEntityKeys.entity(id));
    const found = await tables.downstreamEntities.getAll(importedEntity, keys);
    return found.flatMap((entity) => {
      const line = last.get(entity._id);
      return line === undefined ? [] : [{ entity, ...line }];
    });
  }

  /** The first poll for an agency's organization, when it gets the agency or the agency gets another NPN. */
  function ownFirstPolls(
    before: OwnEntity | undefined,
    { npn, downstreamOrganizationId: organization, isDeleted }: OwnEntity,
    at: Date,
  ): TransactionItem[] {
    if (npn === null || organization === undefined || isDeleted) return [];
    const isKnown =
      before?.npn === npn && before.downstreamOrganizationId === organization && !before.isDeleted;
    if (isKnown) return [];
    return [
      firstPollItem(tables.registryRecords.items, firstPollOfOwnEntity(organization, npn, isSilent), at),
    ];
  }

  const sharingOf = createReadSharing(tables.associations);
  const recordSharing = createRecordSharing(tables, sharingOf);
  const eventsOf = createEntityEvents(tables.associations, associations, events);

  return async (lines, caller) => {
    const { good: valid, rejected } = await checked(lines);
    const good = await changeable(valid, caller);
    const carrier = caller?.category === 'upstreamEntity' ? caller.organizationId : undefined;
    await recordSharing(good.map(({ record }) => record._id));
    const unstored = await putRecords(
      tables.downstreamEntities,
      now,
      good,
      itemOf,
      async ({ record, before: stored }, at) => {
        const before = parseIfStored(importedEntity, stored);
        const after = entityOf(record, before);
        const recordOwner = keptRecordOwner(before, after);
        const isCopied =
          before !== undefined &&
          !isDeepStrictEqual(agencyCopyOf(before), agencyCopyOf({ ...after, recordOwner }));
        return {
          values: {
            ...after,
            ...(after.isDeleted ? {} : downstreamEntityIndexes(after)),
            recordOwner,
            ...(before && agencyChangeMark(before._id, at)),
            hasOldCopies: isCopied || before?.hasOldCopies === true ? true : undefined,
          },
          items: [
            ...agencyChangeWrites(tables.associations.items, {
              downstreamEntityId: after._id,
              carrier,
              hasOrganization: after.downstreamOrganizationId !== undefined,
            }),
            ...moveWrites(tables.downstreamEntities.items, before, after),
            ...ownFirstPolls(before, after, at),
            ...(isSilent ? [] : await eventsOf({ before, after }, at)),
          ],
        };
      },
    );
    const late = await updateCopies(await storedOf(good));
    const known = new Set([...rejected, ...unstored].map(({ line }) => line));
    return [...rejected, ...unstored, ...late.filter(({ line }) => !known.has(line))];
  };
}

/** Agencies. In an import for an agency's organization, those that name no organization are its own. */
export function downstreamEntityImport(dependencies: EntityDependencies): ImportType {
  const importEntities = createDownstreamEntityImport(dependencies);
  const entityIdOf = createEntityIds(dependencies.tables.downstreamEntities);
  return {
    types: ['downstream-entity'],
    async importLines(lines, organizationId) {
      const rejected: RejectedLine[] = [];
      const read = parseLines(downstreamEntityRecord, lines, rejected);
      if (read.length === 0) return rejected;
      const caller = organizationId && (await dependencies.organizations.find(organizationId));
      const own = caller && caller.category === 'downstreamEntity' ? caller.organizationId : undefined;
      const ofCaller = own === undefined ? {} : { downstreamOrganizationId: own };
      const owned = await Promise.all(
        read.map(async (one) => {
          const record = { ...ofCaller, ...one.record, _id: await entityIdOf(one.record) };
          return { ...one, record };
        }),
      );
      return [...rejected, ...(await importEntities(owned, caller || undefined))];
    },
  };
}
