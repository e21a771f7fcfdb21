import type * as z from 'zod/mini';
import { decidingAmong, entriesOf, readVersions } from '../../shared/domain/compliance/store.ts';
import {
  complianceKeys,
  type StoredConfigEntry,
  type StoredConfigVersion,
  storedConfigHead,
} from '../../shared/domain/compliance/stored.ts';
import { answerOf } from '../../shared/domain/sale-checks/answer.ts';
import {
  configVersionId,
  coveragesOf,
  type Evidence,
  evidenceOfConfig,
  evidenceOfFact,
  isDecided,
  type ResolvedCheck,
  readHolders,
} from '../../shared/domain/sale-checks/material.ts';
import type { SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
import { findReceipt, type Receipt, type ReceiptPayload } from '../../shared/domain/sale-checks/stored.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { ComplianceDeps, ComplianceOperation } from './deps.ts';
import type { saleReceipt } from './routes.ts';

/**
 * What was written in the last two minutes may not have been seen yet when a check read it: clocks differ, transactions take a
 * moment, and reads need not be consistent.
 */
const settledBefore = (time: string): string => new Date(Date.parse(time) - 120_000).toISOString();

/** Products whose configs are read at the same time. */
const concurrency = 8;

/** Which of the things that are stored now a receipt was decided by, unless one that it names is not as it was, or not there. */
function asOfReceipt<One>(
  stored: readonly One[],
  evidenceOf: (one: One) => Evidence,
  names: ReceiptPayload['facts'],
  knownAt: string,
): readonly One[] | 'changed' | 'deleted' {
  const hashes = new Map(names.map(({ id, hash }) => [id, hash]));
  const settledAt = settledBefore(knownAt);
  const found = stored.map((one) => ({ one, ...evidenceOf(one) }));
  const named = found.filter(({ id }) => hashes.has(id));
  if (named.some(({ id, hash }) => hashes.get(id) !== hash)) return 'changed';
  if (named.length < hashes.size) return 'deleted';
  return found
    .filter(({ id, recordedAt }) => hashes.has(id) || recordedAt <= settledAt)
    .map(({ one }) => one);
}

/** A check as its receipt says that it was resolved. */
function resolvedOf({ asked, seller, agency, product, reasons, ...check }: ReceiptPayload['checks'][number]) {
  return {
    reference: check.reference,
    stateCode: asked.stateCode,
    date: check.date,
    isPresent: check.basis === 'current',
    seller,
    agency,
    product,
    issues: check.answer === 'unknown' ? reasons : reasons.filter(({ code }) => code === 'not_associated'),
  } satisfies ResolvedCheck;
}

/** An answer without its words for people, which a later release may put differently. */
const withoutWords = ({ reasons, ...answer }: SaleCheck) => ({
  ...answer,
  reasons: reasons.map(({ party, code }) => ({ party, code })),
});

type Reproduction = Pick<z.output<typeof saleReceipt>, 'reproduced' | 'reproducedMessage'>;

/** Of a receipt that names what is no longer kept. */
export const deleted = {
  reproduced: null,
  reproducedMessage:
    'Something that the receipt names is no longer stored: a version of a license or an appointment that was replaced long ago is deleted after twenty years.',
} as const satisfies Reproduction;

/** The versions of configs that decide checks again: those that the receipt names, and whatever else of then does. */
async function readConfigs(
  table: Table,
  { organizationId: owner, knownAt, configs }: ReceiptPayload,
  checks: readonly ResolvedCheck[],
): Promise<StoredConfigVersion[]> {
  const named = new Set(configs.map(({ id }) => id));
  const settledAt = settledBefore(knownAt);
  const ofProduct = groupBy(
    checks.filter(({ product }) => product !== null),
    ({ product }) => product?.productId ?? '',
  );
  const keys = Array.from(ofProduct.keys(), (productId) => complianceKeys.config(owner, productId));
  const heads = await table.getAll(storedConfigHead, keys, { consistent: false });
  const entries = await mapConcurrently(heads, concurrency, async (head) => {
    const { productId } = head;
    const days = (ofProduct.get(productId) ?? []).map(({ date }) => date);
    const known = await entriesOf(
      table,
      owner,
      head,
      days.map((day) => ({ day, knownAt: settledAt })),
    );
    const isNamed = (entry: StoredConfigEntry) => named.has(configVersionId({ productId, ...entry }));
    const ofThen = known.filter((entry) => isNamed(entry) || entry.recordedAt <= settledAt);
    const deciding = decidingAmong(
      ofThen,
      days.map((day) => ({ day, knownAt })),
    );
    return Array.from(new Set([...deciding, ...known.filter(isNamed)]), (entry) => ({ ...entry, productId }));
  });
  return entries.flat().map(await readVersions(table, owner, entries.flat()));
}

/** Whether the decision made again, from what the receipt names and what was settled then, is the same. */
async function reproductionOf(
  { payload, carrier }: Receipt,
  { tables, recordedFacts }: Pick<ComplianceDeps, 'tables' | 'recordedFacts'>,
): Promise<Reproduction> {
  const { organizationId: owner, knownAt, checks, facts, configs } = payload;
  const resolved = checks.map(resolvedOf);
  const [holders, stored] = await Promise.all([
    readHolders(recordedFacts, owner, resolved),
    readConfigs(tables.compliance, payload, resolved),
  ]);
  const items = asOfReceipt(
    holders.flatMap((holder) => holder.items.map((item) => ({ npn: holder.npn, item }))),
    ({ item }) => evidenceOfFact(item),
    facts,
    knownAt,
  );
  const versions = asOfReceipt<StoredConfigVersion>(stored, evidenceOfConfig, configs, knownAt);
  if (items === 'changed' || versions === 'changed') return { reproduced: false };
  if (items === 'deleted' || versions === 'deleted') return deleted;
  const then = holders.map(({ npn }) => ({
    npn,
    items: items.flatMap((one) => (one.npn === npn ? [one.item] : [])),
  }));
  const material = {
    knownAt,
    carrier,
    coverageOf: coveragesOf(then, knownAt),
    configsOf: (productId: string) => versions.filter((one) => one.productId === productId),
  };
  const reproduced = checks.every(({ asked: _asked, ...check }, index) => {
    const again = resolved[index];
    if (again === undefined || !isDecided(again)) return again !== undefined;
    return isDeepStrictEqual(withoutWords(answerOf(again, material)), withoutWords(check));
  });
  return { reproduced };
}

/**
 * A receipt, and whether it is reproduced (OpenAPI, "May she sell?").
 * @throws ApiError `not_found` for an unknown or foreign receipt.
 */
export const getSaleReceipt: ComplianceOperation<'getSaleReceipt'> = async (
  { identity, params: { receiptId } },
  { tables, recordedFacts },
) => {
  const receipt = existing(await findReceipt(tables.saleReceipts, identity.organizationId, receiptId));
  const checks = receipt.payload.checks.map(({ asked: _asked, ...check }) => check);
  return {
    receiptId,
    checks,
    jws: receipt.jws,
    ...(await reproductionOf(receipt, { tables, recordedFacts })),
  };
};
