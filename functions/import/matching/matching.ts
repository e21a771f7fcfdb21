import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { productsNamedBy } from '#domain/decision/compliance-config.ts';
import { agencyRules, agentRules } from '#domain/matching/rules.ts';
import type { Policy } from '#domain/policies/resource.ts';
import type { Tables } from '#domain/tables.ts';
import type { Table } from '#platform/data/table.ts';
import {
  createMoveWithSales,
  createPartiesOnBindingOf,
  type MoveWithSales,
  type PartiesOnBindingOf,
} from '../policy/sales-on-binding.ts';
import {
  type MatchedFields,
  type NamedAgency,
  type RecordedLicenses,
  readNpnsOfLicenses,
  textOf,
} from './decide.ts';
import {
  type AgencyMatch,
  type AgentMatch,
  licenseOfAgency,
  licenseOfAgent,
  matchAgency,
  matchAgents,
  readAgencies,
  readAgents,
} from './parties.ts';

/** The match of a policy's product. */
export interface ProductMatch {
  readonly productMatchStatus: Policy['productMatchStatus'];
  /** The product; undefined where none was found, or a person must choose among several. */
  readonly productId?: string | undefined;
}

/** The fields that name a policy's product. */
export type ProductFields = Pick<Policy, 'productCode' | 'productName'>;

/** Decides which of an owner's products a policy is. */
export type MatchProduct = (fields: ProductFields) => ProductMatch;

/** Reads an owner's products, some dozens, by which those of policies are known. */
async function readProducts(compliance: Table, owner: string, now: Date): Promise<MatchProduct> {
  const productsOf = productsNamedBy(await createComplianceConfigs(compliance).products(owner, now));
  return (fields) => {
    const [product, ...otherProducts] = productsOf(fields);
    if (product === undefined) return { productMatchStatus: 'unmatched' };
    return otherProducts.length === 0
      ? { productMatchStatus: 'auto matched', productId: product.productId }
      : { productMatchStatus: 'needs clarification' };
  };
}

/** Decides whose some transactions are, from what was read for all of them together. */
export interface Matching {
  agencyOf(fields: MatchedFields & NamedAgency): AgencyMatch;
  /** @param agency what is known of the agency, by which agents are found by their names. */
  agentsOf(fields: MatchedFields, agency: NamedAgency, matchedAt: string): AgentMatch;
  /** Reads the owner's products, once a policy has fields that name one. */
  products(policy: ProductFields): Promise<MatchProduct>;
  /** The sellers, where the carrier appoints when it binds; read once such a product was sold. */
  readonly partiesOnBindingOf: PartiesOnBindingOf;
  readonly moveWithSales: MoveWithSales;
}

/** Reads what these transactions of an owner may be about: each piece of evidence once, however many transactions have it. */
export type ReadMatching = ReturnType<typeof createReadMatching>;

export type MatchingTable = 'agents' | 'associations' | 'compliance' | 'organizations' | 'registryRecords';

export const createReadMatching =
  (tables: Tables<MatchingTable>, now: () => Date, recordedLicenses?: RecordedLicenses) =>
  async (owner: string, transactions: readonly (MatchedFields & NamedAgency)[]): Promise<Matching> => {
    const licenses = transactions.flatMap((transaction) => [
      licenseOfAgency(transaction),
      licenseOfAgent(transaction),
    ]);
    const npnsOf = await readNpnsOfLicenses(tables.registryRecords, owner, licenses, recordedLicenses);
    const [agencies, agents] = await Promise.all([
      readAgencies(tables.associations, owner, transactions, npnsOf),
      readAgents(tables.agents, owner, transactions, npnsOf),
    ]);
    let products: Promise<MatchProduct> | undefined;
    return {
      partiesOnBindingOf: createPartiesOnBindingOf(tables, owner, now()),
      moveWithSales: createMoveWithSales(tables, owner, now),
      agencyOf: (fields) => matchAgency(fields, agencies, npnsOf),
      agentsOf(fields, { downstreamEntityId, upstreamDownstreamAssociationId }, matchedAt) {
        const associationIds = new Set([
          ...(upstreamDownstreamAssociationId === undefined ? [] : [upstreamDownstreamAssociationId]),
          ...(downstreamEntityId === undefined ? [] : agencies.ofAgency(downstreamEntityId)).map(
            ({ _id }) => _id,
          ),
        ]);
        return matchAgents(
          fields,
          agents,
          npnsOf,
          ({ downstreamEntityAssociationIds: ids }) => ids.some((id) => associationIds.has(id)),
          matchedAt,
        );
      },
      async products({ productCode, productName }) {
        const isNamed = (textOf(productCode) ?? textOf(productName)) !== undefined;
        if (!isNamed) return () => ({ productMatchStatus: 'unmatched' });
        products ??= readProducts(tables.compliance, owner, now());
        return products;
      },
    };
  };

type Rules = Readonly<Record<string, { readonly fields: readonly (keyof MatchedFields)[] }>>;

/** Whether a transaction says what one of these rules goes by. */
const hasEvidence = (rules: Rules, transaction: MatchedFields): boolean =>
  Object.values(rules).some(({ fields }) =>
    fields.every((field) => textOf(transaction[field]) !== undefined),
  );

/** Whether a transaction says anything by which its agency could be found. */
export const hasAgencyEvidence = (fields: MatchedFields): boolean => hasEvidence(agencyRules, fields);

/** Whether a transaction says anything by which its agent could be found. */
export const hasAgentEvidence = (fields: MatchedFields): boolean => hasEvidence(agentRules, fields);
