// The import of agents: a record with the items by which others find it, and its events.
import * as z from 'zod/mini';
import { agentKeys, agentLinks, agentOfNpn, itemOfAgent, storedAgent } from '#domain/agents/stored.ts';
import { associationKeys, isLive, storedAssociation } from '#domain/associations/stored.ts';
import type { NewEvent } from '#domain/events/transaction-items.ts';
import { dataOwnerOf, ensureSubscriptions } from '#domain/registry-records/subscriptions.ts';
import type { Tables } from '#domain/tables.ts';
import { transactionItems } from '#platform/aws/limits.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { added, isNew, removed } from '#platform/data/expressions.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { Issue } from '#platform/errors/domain-error.ts';
import { agentNameKey, namesOfAgent } from '../matching/parties.ts';
import { type AgentRecord, recordSchemas } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  ownedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import { acceptedOf, commonValuesOf, hashOf, importChains, keptFields } from '../run/lines.ts';
import { ownEntitiesAmong } from './own-entities.ts';

/** An agent as an earlier import left it. */
const importedAgent = storedItem('agents/imported-agent', {
  ...storedAgent.shape,
  version: z.int(),
  recordHash: z.optional(z.string()),
});

type ImportedAgent = z.output<typeof importedAgent>;

/** What an agent has of which no record ever said anything. */
const blankAgent = {
  middleName: null,
  email: null,
  labeledEmails: [],
  isDeliverable: false,
  externalId: null,
  authority: [],
  downstreamEntityAssociationIds: [],
  downstreamEntityIds: [],
  creationPath: 'import',
  isArchived: false,
} satisfies Partial<ImportedAgent>;

/**
 * Addresses, relationships and entities of one agent. A change deletes the items that the agent was found by and writes
 * the new ones, with its names and event, in one transaction.
 */
const mostLinks = transactionItems / 2 - 8;

const derivedIdOf = (owner: string, { npn }: AgentRecord): string => derivedObjectId(owner, 'agent', npn);

/** Releases the NPN that the agent had, and claims its new one. */
function npnWrites(
  items: TableItems,
  owner: string,
  before: ImportedAgent | undefined,
  after: ImportedAgent,
): TransactionItem[] {
  const formerNpn = before === undefined || before.isDeleted ? undefined : before.npn;
  const npn = after.isDeleted ? undefined : after.npn;
  if (formerNpn === npn) return [];
  return [
    ...(formerNpn === undefined ? [] : [items.delete(agentKeys.npn(owner, formerNpn))]),
    ...(npn === undefined ? [] : [items.put({ ...agentKeys.npn(owner, npn), agentId: after._id }, isNew)]),
  ];
}

/** Lets policies find the agent by its name, and no longer by the one it had. */
function nameWrites(
  items: TableItems,
  owner: string,
  before: ImportedAgent | undefined,
  after: ImportedAgent,
): TransactionItem[] {
  const [formerNames = [], names = []] = [before, after].map((agent) =>
    agent === undefined || agent.isDeleted ? [] : namesOfAgent(agent),
  );
  const id = new Set([after._id]);
  const missingKeys = (otherNames: readonly string[], names: readonly string[]) =>
    names.filter((value) => !otherNames.includes(value)).map((value) => agentNameKey(owner, value));
  return [
    ...missingKeys(names, formerNames).map((key) => items.update(key, { agentIds: removed(id) })),
    ...missingKeys(formerNames, names).map((key) => items.update(key, { agentIds: added(id) })),
  ];
}

/** What a record that leaves it out keeps of an agent: where a deleted one was, it is again only where its line says so. */
const keptOf = (before: ImportedAgent | undefined): Partial<ImportedAgent> | undefined =>
  before?.isDeleted === true ? { isArchived: before.isArchived, authority: before.authority } : before;

/** The associations of a record's agent. Those of a deleted agent do not count: they may be deleted, too. */
const associationIdsOf = ({
  isDeleted,
  downstreamEntityAssociationIds = [],
}: AgentRecord): readonly string[] => (isDeleted === true ? [] : downstreamEntityAssociationIds);

const entityIdsOf = ({ downstreamEntityIds = [] }: AgentRecord): readonly string[] => downstreamEntityIds;

/** Ids among these of live associations of the organization. */
async function ownAssociationsAmong(
  associations: Table,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = ids.map((id) => associationKeys.association(owner, id));
  const foundAssociations = await associations.getAll(storedAssociation, keys);
  return new Set(foundAssociations.filter(isLive).map(({ _id }) => _id));
}

/** Finds what is wrong with the associations and entities of each record: those that the organization does not have. */
async function createPlaceIssues(
  tables: Tables<'associations' | 'downstreamEntities'>,
  owner: string,
  records: readonly AgentRecord[],
) {
  const [associations, entities] = await Promise.all([
    ownAssociationsAmong(tables.associations, owner, records.flatMap(associationIdsOf)),
    ownEntitiesAmong(tables.downstreamEntities, owner, records.flatMap(entityIdsOf)),
  ]);
  const unknown = (
    field: string,
    ids: readonly string[],
    knownIds: { has(id: string): boolean },
    label: string,
  ) =>
    ids.flatMap((id, index) =>
      knownIds.has(id)
        ? []
        : [{ path: `${field}[${index}]`, message: `is not ${label} of the organization` }],
    );
  return (record: AgentRecord): Issue[] => [
    ...unknown('downstreamEntityIds', entityIdsOf(record), entities, 'an entity'),
    ...unknown('downstreamEntityAssociationIds', associationIdsOf(record), associations, 'an association'),
  ];
}

/**
 * Producers of organizations of either kind; one without an id is identified by its NPN, which belongs to one live
 * agent of the owner.
 */
export function agentImport({
  tables,
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'agents' | 'associations' | 'downstreamEntities' | 'registryRecords'>): ImportType {
  const table = tables.agents;

  /** The agent of a record: that with its id, else the holder of its NPN, else a new one. */
  async function find(owner: string, record: AgentRecord) {
    const holder = await table.get(agentOfNpn, agentKeys.npn(owner, record.npn));
    const agentId = record._id ?? holder?.agentId ?? derivedIdOf(owner, record);
    if (record.isDeleted !== true && holder !== undefined && holder.agentId !== agentId) {
      throw invalidAt('npn', `is the NPN of the agent ${holder.agentId}`);
    }
    return { agentId, before: await table.get(importedAgent, agentKeys.agent(owner, agentId)) };
  }

  function agentOf(
    record: AgentRecord,
    agentId: string,
    before: ImportedAgent | undefined,
    isUpstream: boolean,
  ): ImportedAgent {
    const { npn, firstName, lastName } = record;
    const timestamp = now().toISOString();
    return {
      ...keptFields<Pick<ImportedAgent, keyof typeof blankAgent>>(blankAgent, keptOf(before), record),
      npn,
      firstName,
      lastName,
      _id: agentId,
      isUploadedByUpstreamEntity:
        record.isUploadedByUpstreamEntity ?? before?.isUploadedByUpstreamEntity ?? isUpstream,
      ...commonValuesOf(record, before, timestamp),
      version: (before?.version ?? 0) + 1,
      recordHash: hashOf(record),
    };
  }

  /** Rewrites an agent with all items that it is found by, unless another writer changed it, or took its NPN, since. */
  async function write(
    owner: string,
    before: ImportedAgent | undefined,
    after: ImportedAgent,
    isUpstream: boolean,
  ): Promise<void> {
    const links = agentLinks(owner, after);
    if (links.length > mostLinks) {
      throw invalidAt(
        '',
        `has ${links.length} addresses, associations, and entities; at most ${mostLinks} are allowed`,
      );
    }
    const keptKeys = new Set(links.map(({ pk }) => pk));
    const stale = before === undefined ? [] : agentLinks(owner, before).filter(({ pk }) => !keptKeys.has(pk));
    await table.transact([
      table.items.put(
        { ...itemOfAgent(owner, after, now()), version: after.version, recordHash: after.recordHash },
        { version: before?.version },
      ),
      ...npnWrites(table.items, owner, before, after),
      ...nameWrites(table.items, owner, before, after),
      ...links.map((link) => table.items.put(link)),
      ...stale.map(({ pk, sk }) => table.items.delete({ pk, sk })),
      // Only carriers have webhooks.
      ...(isUpstream ? events(agentEvents(owner, before, after), now()) : []),
    ]);
  }

  async function importAgent(owner: string, record: AgentRecord, isUpstream: boolean): Promise<string> {
    const { agentId, before } = await find(owner, record);
    if (before?.recordHash === hashOf(record)) return agentId;
    // Items that never existed, or are deleted, need not be deleted.
    if (record.isDeleted === true && before?.isDeleted !== false) return agentId;
    await write(owner, before, agentOf(record, agentId, before, isUpstream), isUpstream);
    return agentId;
  }

  return ownedRecords(organizations, {
    types: ['agent'],
    record: recordSchemas.agent,
    owners: ownersOfEitherKind,
    async importLines(organization, lines) {
      const { organizationId: owner, category } = organization;
      const isUpstream = category === 'upstreamEntity';
      const issuesOf = await createPlaceIssues(
        tables,
        owner,
        lines.map(({ record }) => record),
      );
      for (const { record, reject } of lines) {
        const issues = issuesOf(record);
        if (issues.length > 0) reject(issues);
      }
      const good = acceptedOf(lines);
      const npns = good.flatMap(({ record }) => (record.isDeleted === true ? [] : record.npn));
      const use = { entityModel: 'agent' as const, isSilent: isSilent || !isUpstream };
      await ensureSubscriptions(tables.registryRecords, dataOwnerOf(organization), npns, use, now());
      await importChains(good, {
        namesOf: (record) => [record._id ?? derivedIdOf(owner, record)],
        claimsOf: ({ npn }) => [agentKeys.npn(owner, npn)],
        async readHolders(claims) {
          const holderOf = await table.getByKey(agentOfNpn, claims);
          return (claim) => holderOf(claim)?.agentId;
        },
        importRecord: (record) => importAgent(owner, record, isUpstream),
      });
    },
  });
}

/**
 * The events of an agent's change: created when it appears, also after it was deleted;
 * updated when its record differs. There is none for a deleted one.
 */
function agentEvents(owner: string, before: ImportedAgent | undefined, after: ImportedAgent): NewEvent[] {
  const isNew = before === undefined || before.isDeleted;
  if (after.isDeleted || (!isNew && isDeepStrictEqual(contentOf(before), contentOf(after)))) return [];
  const { _id, npn, firstName, middleName, lastName, externalId, downstreamEntityAssociationIds } = after;
  return [
    {
      type: isNew ? 'AGENT_CREATED' : 'AGENT_UPDATED',
      upstreamEntityId: owner,
      entityId: _id,
      payload: {
        agentId: _id,
        npn,
        firstName,
        middleName,
        lastName,
        externalId,
        downstreamEntityAssociationIds,
      },
    },
  ];
}

/** The content of an agent's record, without times and hashes. */
const contentOf = ({ updatedAt: _time, version: _version, recordHash: _hash, ...content }: ImportedAgent) =>
  content;
