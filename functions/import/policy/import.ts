// The import of policy transactions, each matched with an agency and an agent, and the confirmation of a match by an operator.
import * as z from 'zod/mini';
import { associationKeys, live, storedAssociation } from '#domain/associations/stored.ts';
import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { writtenDate } from '#domain/decision/dates.ts';
import { type PolicyTransaction, policyTransaction } from '#domain/policies/resource.ts';
import { policyKeys } from '#domain/policies/stored.ts';
import { transactionItems } from '#platform/aws/limits.ts';
import { existing, invalid, invalidAt } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { chunks, concurrently } from '#platform/data/concurrently.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError, type Issue } from '#platform/errors/domain-error.ts';
import { createReadMatching, type Matching, type MatchingTable } from '../matching/matching.ts';
import { type AgencyMatch, type AgentMatch, readAgentsOf } from '../matching/parties.ts';
import { type PolicyRecord, type PolicyTransactionRecord, recordSchemas } from '../record-schemas.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../run/import-records.ts';
import { attempt, importInOrder, type ReadLine } from '../run/lines.ts';
import {
  agencyFields,
  applyPolicy,
  applyTransaction,
  identityOf,
  isNewer,
  isOfSameProduct,
  namesProduct,
  newDraft,
  type PolicyDraft,
  sourcesOf,
} from './policy.ts';
import { createPolicyWrites, type MatchDependencies } from './store.ts';
import { type StoredPolicy, type StoredTransaction, transactionOwner } from './stored.ts';

type PolicyLine = ReadLine<PolicyRecord | PolicyTransactionRecord>;

/** Lines of one policy, and what was read for all lines of the chunk. */
interface PolicyLines {
  readonly owner: string;
  readonly number: string;
  readonly lines: readonly PolicyLine[];
  readonly matching: Matching;
  /** The policy as earlier lines of the chunk left it: so many transactions of one number are read once. */
  readonly last: { draft: PolicyDraft | undefined };
}

/** Lines of a transaction, of three items each at most, with room for the policy and its number. */
const linesAtOnce = Math.floor(transactionItems / 3) - 1;

/** Whether something is left to be matched. */
const isOpen = ({ entityMatchStatus, agentMatchStatus }: PolicyTransactionRecord): boolean =>
  entityMatchStatus === undefined || agentMatchStatus === undefined;

const transactionsOf = (lines: readonly PolicyLine[]): PolicyTransactionRecord[] =>
  lines.flatMap(({ record }) => (record.type === 'policy' ? [] : [record]));

/** Says of a sale what it does not take from an earlier transaction. */
const insuredDiffers =
  'An earlier transaction of the policy number is of another insured: the sale takes no agency, agent, product, or company from it.';

/**
 * Says of new transactions that nothing but what they say identifies, which another one of the policy is like: they may be one.
 * @param knownTransactions the transactions of the policy, these among them.
 */
function noteDoubles(
  lines: readonly (Pick<PolicyLine, 'note'> & { readonly transaction: StoredTransaction })[],
  knownTransactions: readonly StoredTransaction[],
): void {
  for (const { note, transaction } of lines) {
    const { _id, policyNumber, policyTransactionType: type, policyTransactionDate, ordinal } = transaction;
    const day = writtenDate(policyTransactionDate);
    const likeTransaction = knownTransactions.find(
      (candidate) =>
        !candidate.isDeleted &&
        candidate.ordinal < ordinal &&
        candidate.policyTransactionType === type &&
        writtenDate(candidate.policyTransactionDate) === day,
    );
    if (likeTransaction === undefined) continue;
    note({
      code: 'looks_double',
      message: `${policyNumber} has two transactions ${type} of ${day} that differ: ${likeTransaction._id} and ${_id}. If they are one, delete one, and give them a uniqueTransactionId.`,
    });
  }
}

/** Policies and their transactions, which are matched with agencies, agents, and products. */
export function policyImport({
  tables,
  organizations,
  now,
  ...run
}: ImportDependencies<'policies' | MatchingTable>): ImportType {
  const policies = createPolicyWrites(tables, now, run);
  const readMatching = createReadMatching(tables, now, run.recordedLicenses);

  /** Starts a draft with the records that the lines touch. */
  async function begin(
    { owner, number, lines, last }: PolicyLines,
    before: StoredPolicy | undefined,
  ): Promise<PolicyDraft> {
    const [first] = lines;
    const givenId = first?.record.type === 'policy' ? first.record._id : undefined;
    if (before === undefined) {
      return newDraft(givenId ?? derivedObjectId(owner, 'policy', number), undefined, []);
    }
    const records = transactionsOf(lines);
    const draft = await policies.draftOf(owner, before, {
      ids: records.flatMap(({ _id }) => _id ?? []),
      identities: records.map((record) => identityOf(owner, record)),
    });
    const isLast = before.version === (last.draft?.before?.version ?? 0) + 1;
    if (isLast)
      for (const [id, lastTransaction] of last.draft?.transactions ?? [])
        draft.transactions.set(id, lastTransaction);
    return draft;
  }

  /** Imports lines of one policy in order; all valid ones in one transaction. */
  async function importPolicy(
    policyLines: PolicyLines,
    foundPolicy: StoredPolicy | undefined,
  ): Promise<void> {
    const { owner, number, lines, matching } = policyLines;
    let policyId = '';
    const importOnce = async (times: number): Promise<void> => {
      const before = times === 1 ? foundPolicy : (await policies.findByNumber(owner, [number])).get(number);
      if (times > 1 && before === undefined) {
        // Its number was not claimed in the meantime, so the conflict is the id: another policy has it.
        throw invalidAt('_id', `${policyId} is the id of another policy`);
      }
      const draft = await begin(policyLines, before);
      policyId = draft.policyId;
      // Of the attempt that counts.
      const refusals = new Map<PolicyLine, readonly Issue[]>();
      const ids = new Map<PolicyLine['record'], string>();
      const attemptedLines = lines.map((line) => ({
        ...line,
        reject: (issues: readonly Issue[]) => void refusals.set(line, issues),
      }));
      await importInOrder(attemptedLines, (record) => {
        if (record.type === 'policy') return applyPolicy(draft, record);
        const id = applyTransaction(draft, { owner, record, matching, importedAt: now().toISOString() });
        ids.set(record, id);
        return id;
      });
      const ofLines = lines.flatMap(({ record, ...line }) => {
        const transaction = draft.transactions.get(ids.get(record) ?? '');
        return transaction === undefined ? [] : [{ ...line, transaction }];
      });
      const knownOrdinal = before?.lastOrdinal ?? 0;
      const unidentifiedLines = ofLines.filter(
        ({ transaction: { ordinal, uniqueTransactionId } }) =>
          ordinal > knownOrdinal && uniqueTransactionId === undefined,
      );
      let products = before?.productMatchStatus ?? 'unmatched';
      if (draft.isChanged) {
        products = await policies.write(owner, number, draft, matching);
        policyLines.last.draft = draft;
      }
      noteDoubles(unidentifiedLines, [...draft.transactions.values()]);
      for (const { match, note, transaction } of ofLines) {
        const { _id, entityMatchStatus: agencies, agentMatchStatus: agents } = transaction;
        match({ agencies, agents, products });
        if (draft.otherInsuredIds.has(_id)) note({ code: 'insured_differs', message: insuredDiffers });
      }
      for (const [{ reject }, issues] of refusals) reject(issues);
    };
    await attempt(lines, () => retryOnConflict(importOnce));
  }

  /** Imports one owner's policies and transactions. */
  async function importLines(owner: string, allLines: readonly PolicyLine[]): Promise<void> {
    const groups = Map.groupBy(allLines, ({ record }) => record.policyNumber);
    const [knownPolicies, matching] = await Promise.all([
      policies.findByNumber(owner, [...groups.keys()]),
      readMatching(owner, transactionsOf(allLines).filter(isOpen)),
    ]);
    await concurrently(groups.entries(), async ([number, group]) => {
      const last = { draft: undefined };
      let foundPolicy = knownPolicies.get(number);
      for (const [index, lines] of chunks(group, { count: linesAtOnce }).entries()) {
        if (index > 0) foundPolicy = (await policies.findByNumber(owner, [number])).get(number);
        await importPolicy({ owner, number, lines, matching, last }, foundPolicy);
      }
    });
  }

  return ownedRecords(organizations, {
    types: ['policy', 'policy-transaction'],
    record: z.discriminatedUnion('type', [recordSchemas.policy, recordSchemas['policy-transaction']]),
    importLines: ({ organizationId }, lines) => importLines(organizationId, lines),
  });
}

/** Agents of one transaction. */
const mostAgents = 50;

export const confirmMatchInput = z.strictObject({
  organizationId: objectId,
  transactionId: objectId,
  downstreamEntityAssociationId: z.optional(objectId),
  agentIds: z.optional(z.array(objectId).check(z.minLength(1), z.maxLength(mostAgents))),
  productId: z.optional(objectId),
});

type ConfirmMatchInput = z.output<typeof confirmMatchInput>;

/**
 * Records whose a transaction is because a person says so: what is given, or what was found if nothing is.
 * @throws ApiError `not_found` for an unknown transaction, and another organization's; `validation_error` for an association,
 *   agents, or a product that are not the organization's, and where there is nothing to confirm.
 */
export function createConfirmMatch({ tables, policies, readMatching, now }: MatchDependencies) {
  /** Id of a transaction's policy, whoever owns it: under a key of another owner it is not found. */
  async function policyIdOf(transactionId: string): Promise<string> {
    const [transactionOwnerItem] = await tables.policies.getAll(transactionOwner, [
      policyKeys.transactionOwner(transactionId),
    ]);
    return existing(transactionOwnerItem?.policyId);
  }

  async function agencyOf(owner: string, associationId: string): Promise<AgencyMatch> {
    const key = associationKeys.association(owner, associationId);
    const [foundAssociation] = await tables.associations.getAll(storedAssociation, [key]);
    const association = live(foundAssociation);
    if (association === undefined) {
      throw invalidAt('downstreamEntityAssociationId', 'is not an association of the organization');
    }
    return {
      entityMatchStatus: 'user confirmed',
      downstreamEntityId: association.downstreamEntityId,
      upstreamDownstreamAssociationId: association._id,
      entityMatchConfidence: 1,
    };
  }

  async function agentsOf(
    owner: string,
    agentIds: readonly string[],
    matchedAt: string,
  ): Promise<AgentMatch> {
    const foundAgents = await readAgentsOf(tables.agents, owner, agentIds);
    const issues = agentIds.flatMap((id, index) =>
      foundAgents.has(id)
        ? []
        : [{ path: `agentIds[${index}]`, message: 'is not an agent of the organization' }],
    );
    if (issues.length > 0) throw invalid(...issues);
    return {
      agentMatchStatus: 'user confirmed',
      matchedAgents: Array.from(new Set(agentIds), (agentId) => ({
        agentId,
        matchSource: 'user',
        matchConfidence: 1,
        matchedAt,
      })),
    };
  }

  async function checkProduct(owner: string, productId: string): Promise<void> {
    const products = await createComplianceConfigs(tables.compliance).products(owner, now());
    if (!products.some((product) => product.productId === productId)) {
      throw invalidAt('productId', 'is not a product of the organization');
    }
  }

  return async (input: ConfirmMatchInput): Promise<PolicyTransaction> => {
    const {
      organizationId: owner,
      transactionId,
      downstreamEntityAssociationId,
      agentIds,
      productId,
    } = input;
    const policyId = await policyIdOf(transactionId);
    const timestamp = now().toISOString();
    const [agency, agents] = await Promise.all([
      downstreamEntityAssociationId === undefined
        ? undefined
        : agencyOf(owner, downstreamEntityAssociationId),
      agentIds === undefined ? undefined : agentsOf(owner, agentIds, timestamp),
      productId === undefined ? undefined : checkProduct(owner, productId),
    ]);
    const isAnythingGiven = agency !== undefined || agents !== undefined || productId !== undefined;
    const matching = await readMatching(owner, []);
    return retryOnConflict(async () => {
      const [policy] = await policies.findByIds(owner, [policyId]);
      if (policy === undefined || policy.isDeleted) throw new DomainError('not_found');
      const draft = await policies.draftOf(owner, policy, { ids: [transactionId], identities: [] });
      const before = existing(draft.transactions.get(transactionId));
      const confirmedFields = isAnythingGiven ? { ...agency, ...agents } : foundFieldsOf(before);
      const after: StoredTransaction = {
        ...before,
        ...confirmedFields,
        ...(productId === undefined ? {} : { confirmedProductId: productId }),
        updatedAt: timestamp,
      };
      draft.transactions.set(transactionId, after);
      draft.writtenIds.add(transactionId);
      if (productId !== undefined) confirmProductOfPolicy(draft, after);
      await policies.write(owner, policy.policyNumber, draft, matching);
      return z.parse(policyTransaction, after);
    });
  };
}

/**
 * Lets the confirmed product of a transaction count for its policy, unless that has another product: what a person says is newer
 * than what the policy's record says, until that is imported again.
 */
function confirmProductOfPolicy(draft: PolicyDraft, transaction: StoredTransaction): void {
  const { product: source = transaction } = sourcesOf(draft.transactions.values());
  const isOfPolicy = namesProduct(transaction)
    ? isOfSameProduct(transaction, source)
    : !isNewer(source, transaction);
  if (!isOfPolicy) return;
  if (draft.own !== undefined) draft.own = { ...draft.own, productMatchStatus: undefined };
}

/** Fields that were found for a transaction, as confirmed by a person. */
function foundFieldsOf(transaction: StoredTransaction): Partial<AgencyMatch & AgentMatch> {
  const { upstreamDownstreamAssociationId, agentMatchStatus, matchedAgents } = transaction;
  const hasAgents = agentMatchStatus !== 'manual review' && matchedAgents.length > 0;
  if (upstreamDownstreamAssociationId === undefined && !hasAgents) {
    throw invalidAt('downstreamEntityAssociationId', 'is required: neither an agency nor agents were found');
  }
  return {
    ...(upstreamDownstreamAssociationId === undefined
      ? {}
      : { ...agencyFields(transaction), entityMatchStatus: 'user confirmed' }),
    ...(hasAgents ? { agentMatchStatus: 'user confirmed' } : {}),
  };
}
