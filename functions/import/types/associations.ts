import { associationChangeEvents } from '#domain/associations/events.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import {
  agencyCopyOf,
  associationKeys,
  codeOwner,
  type StoredAssociation,
} from '#domain/associations/stored.ts';
import { createDownstreamEntities, type StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { VersionConflict } from '#platform/data/transact.ts';
import { DomainError, type DomainErrorReason } from '#platform/errors/domain-error.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { type AssociationRecord, associationRecord, recordSchemas } from '../record-schemas.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../run/import-records.ts';
import {
  acceptedOf,
  commonValuesOf,
  hashOf,
  importChains,
  keptFields,
  putRecords,
  type ReadLine,
} from '../run/lines.ts';
import { createDownstreamEntityImport, createEntityIds } from './downstream-entities.ts';
import { firstPollsOfAssociation } from './registry-records.ts';

type DownstreamEntityFields = NonNullable<AssociationRecord['downstreamEntity']>;

type AssociationLine = ReadLine<AssociationRecord>;

/** The id of a record's agency, which a record with an embedded one has been given. */
const entityIdOf = ({
  downstreamEntityId,
  downstreamEntity,
}: Pick<AssociationRecord, 'downstreamEntityId' | 'downstreamEntity'>): string =>
  downstreamEntityId ?? downstreamEntity?._id ?? '';

/** An association without an id is identified by its external id, or else by its agency and branch. */
const associationIdOf = (owner: string, record: AssociationRecord): string =>
  record._id ??
  (record.externalId == null
    ? derivedObjectId(owner, 'association', entityIdOf(record), record.branchName ?? '')
    : derivedObjectId(owner, 'association of external id', record.externalId));

/** Fields that are unique among a carrier's associations, by the reason that a duplicate is refused. */
const soleFields: Readonly<Partial<Record<DomainErrorReason, string>>> = {
  duplicate_external_id: 'externalId',
  duplicate_producer_code: 'producerCode',
};

/** Says of a duplicate which field it is, and of which association. */
function explain(error: unknown): never {
  const path = error instanceof DomainError ? soleFields[error.reason] : undefined;
  if (path === undefined) throw error;
  throw invalidAt(path, 'is already used by another association of the organization');
}

/** Keys of the items that hold a record's codes. */
const codeKeysOf = (owner: string, { externalId, producerCode }: AssociationRecord) => [
  ...(externalId == null ? [] : [associationKeys.externalId(owner, externalId)]),
  ...(producerCode == null ? [] : [associationKeys.producerCode(owner, producerCode)]),
];

/** Whether a stored agency has all values that a record gives it. */
function hasValues(entity: StoredDownstreamEntity, fields: DownstreamEntityFields): boolean {
  const values = new Map<string, unknown>(Object.entries(entity));
  return Object.entries(fields).every(([field, value]) => value === undefined || values.get(field) === value);
}

/** What an association has of which no record ever said anything. */
const blankAssociation = {
  externalId: null,
  producerCode: null,
  branchName: null,
  parentDownstreamEntityAssociationId: null,
  status: 'active',
} satisfies Partial<StoredAssociation>;

/** The association that a record makes of what is stored. */
const associationOf = (
  owner: string,
  record: AssociationRecord,
  before: StoredAssociation | undefined,
  entity: StoredDownstreamEntity,
  timestamp: string,
) => ({
  ...before,
  _id: associationIdOf(owner, record),
  upstreamEntityId: owner,
  downstreamEntityId: entity._id,
  // Of a deleted one others may have the codes by now. Its status stays: the agency has not agreed by its return.
  ...keptFields<Pick<StoredAssociation, keyof typeof blankAssociation>>(
    blankAssociation,
    before?.isDeleted === true ? { status: before.status } : before,
    record,
  ),
  agency: agencyCopyOf(entity),
  recordHash: hashOf(record),
  version: before?.version ?? 0,
  ...commonValuesOf(record, before, timestamp),
});

/**
 * Agency relationships of carriers. They count among the carrier's live ones, but its plan's ceiling does not apply to
 * operators.
 */
export function associationImport({
  tables,
  organizations,
  now,
  ...run
}: ImportDependencies<'downstreamEntities' | 'associations' | 'contacts' | 'registryRecords'>): ImportType {
  const associations = createAssociationStore(tables.associations);
  const importEntities = createDownstreamEntityImport({ tables, organizations, now, ...run });
  const entities = createDownstreamEntities(tables.downstreamEntities);
  const idOfAgency = createEntityIds(tables.downstreamEntities);

  /** A line whose embedded agency has its id. */
  async function withEntityId(line: AssociationLine): Promise<AssociationLine> {
    const { downstreamEntity } = line.record;
    if (downstreamEntity === undefined) return line;
    const _id = await idOfAgency(downstreamEntity);
    return { ...line, record: { ...line.record, downstreamEntity: { ...downstreamEntity, _id } } };
  }

  async function importAssociation(
    { organizationId: owner, name: upstreamEntityName }: Organization,
    record: AssociationRecord,
  ): Promise<string> {
    const _id = associationIdOf(owner, record);
    const downstreamEntityId = entityIdOf(record);
    const { parentDownstreamEntityAssociationId: parentId = null } = record;
    const [before, entitiesById, parent] = await Promise.all([
      associations.findStored(owner, _id),
      entities.findAll([downstreamEntityId]),
      parentId === null ? undefined : associations.find(owner, parentId),
    ]);
    if (before?.recordHash === hashOf(record)) return _id;
    const entity = entitiesById.get(downstreamEntityId);
    if (entity === undefined) {
      throw invalidAt('downstreamEntityId', 'is not a known downstream entity');
    }
    if (parentId !== null && (parent === undefined || parentId === _id)) {
      // A later line may import it.
      throw invalidAt(
        'parentDownstreamEntityAssociationId',
        'is not another association of the organization',
      );
    }
    const time = now();
    const after = associationOf(owner, record, before, entity, time.toISOString());
    const entityCheck = entities.unchanged(entity, () => new VersionConflict());
    const eventItems = run.events(associationChangeEvents(before, after, entity), time);
    const firstPolls = firstPollsOfAssociation(
      tables.registryRecords.items,
      { before, after },
      run.isSilent,
      time,
    );
    const items = [entityCheck, ...eventItems, ...firstPolls];
    await associations.save({ before, after, now: time, upstreamEntityName }, items).catch(explain);
    return _id;
  }

  /**
   * Imports the agencies that lines contain, and rejects lines with them. An answered association does not show its agency's
   * organization: without it, an agency that is stored so is left alone.
   */
  async function importAgencies(lines: readonly AssociationLine[], owner: Organization): Promise<void> {
    const agencies = lines.flatMap(({ record: { downstreamEntity }, ...line }) =>
      downstreamEntity === undefined
        ? []
        : [{ line, agency: { ...downstreamEntity, _id: entityIdOf({ downstreamEntity }) } }],
    );
    const knownEntities = await entities.findAll(agencies.map(({ agency }) => agency._id));
    const records = agencies.flatMap(({ line, agency }) => {
      const storedEntity = knownEntities.get(agency._id);
      const isNamed = agency.downstreamOrganizationId !== undefined;
      if (!isNamed && storedEntity !== undefined && hasValues(storedEntity, agency)) return [];
      // The line's id is that of its association.
      return [
        { ...line, record: { type: 'downstream-entity' as const, ...agency }, identify: () => undefined },
      ];
    });
    await importEntities(records, owner);
  }

  return ownedRecords(organizations, {
    types: ['association'],
    record: associationRecord,
    async importLines(organization, read) {
      const { organizationId: owner } = organization;
      const lines = await Promise.all(read.map(withEntityId));
      await importAgencies(lines, organization);
      await importChains(acceptedOf(lines), {
        namesOf: (record) =>
          [associationIdOf(owner, record), record.parentDownstreamEntityAssociationId ?? []].flat(),
        claimsOf: (record) => codeKeysOf(owner, record),
        async readHolders(claims) {
          const holderOf = await tables.associations.getByKey(codeOwner, claims);
          return (claim) => holderOf(claim)?.associationId;
        },
        importRecord: (record) => importAssociation(organization, record),
      });
    },
  });
}

/** Contract container templates; one without an id is identified by its name. */
export const contractContainerTemplateImport = ({
  tables: { associations: table },
  organizations,
  now,
}: ImportDependencies<'associations'>): ImportType =>
  ownedRecords(organizations, {
    types: ['contract-container-template'],
    record: recordSchemas['contract-container-template'],
    async importLines({ organizationId: owner }, lines) {
      return putRecords(table, now, lines, (record) => {
        const { type: _type, upstreamEntityId: _owner, ...values } = record;
        const _id = record._id ?? derivedObjectId(owner, 'contract-container-template', record.name);
        return { key: associationKeys.template(owner, _id), values: { ...values, _id } };
      });
    },
  });
