import type * as z from 'zod/mini';
import { decidingAmong, entriesOf, readVersions } from '../../shared/domain/compliance/store.ts';
import {
  complianceKeys,
  type StoredConfigEntry,
  type StoredConfigVersion,
  storedConfigHead,
} from '../../shared/domain/compliance/stored.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import { answerOf } from '../../shared/domain/sale-checks/answer.ts';
import type { SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
import {
  type ConfigSource,
  configVersionId,
  coveragesOf,
  holdersOf,
  type ResolvedCheck,
  readHolders,
  sourceOfClassKind,
  sourceOfConfig,
  sourceOfFact,
  withHash,
} from '../../shared/domain/sale-checks/sources.ts';
import { findReceipt, type Receipt, type ReceiptPayload } from '../../shared/domain/sale-checks/stored.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { ComplianceOperation, Deps } from './function.ts';
import type { saleReceipt } from './routes.ts';

/**
 * What was written in the last two minutes may not have been seen yet when a check read it: clocks differ, transactions take a
 * moment, and reads need not be consistent.
 */
const settledBefore = (time: string): string => new Date(Date.parse(time) - 120_000).toISOString();

/** Products whose configs are read at the same time. */
const concurrency = 8;

interface Source {
  readonly id: string;
  readonly recordedAt: string;
}

/** What is stored now of one kind: what a receipt was decided by, and what it names of that, as it is now. */
interface Found<One, Its> {
  readonly deciding: One[];
  readonly sources: Its[];
  /** Whether something that it names is not as it was, or not there. */
  readonly is: 'as it was' | 'changed' | 'deleted';
}

function asOfReceipt<One, Its extends Source>(
  stored: readonly One[],
  sourceOf: (one: One) => Its,
  names: ReceiptPayload['facts'],
  knownAt: string,
): Found<One, Its> {
  const hashes = new Map(names.map(({ id, hash }) => [id, hash]));
  const settledAt = settledBefore(knownAt);
  const found = stored.map((one) => ({ one, source: sourceOf(one) }));
  const sources = found.flatMap(({ source }) => (hashes.has(source.id) ? source : []));
  const isChanged = sources.some((source) => hashes.get(source.id) !== withHash(source).hash);
  return {
    deciding: found
      .filter(({ source }) => hashes.has(source.id) || source.recordedAt <= settledAt)
      .map(({ one }) => one),
    sources,
    is: isChanged ? 'changed' : sources.length < hashes.size ? 'deleted' : 'as it was',
  };
}

/** An answer without its words for people, which a later release may put differently. */
const withoutWords = ({ reasons, warnings, ...answer }: SaleCheck) => ({
  ...answer,
  reasons: reasons.map(({ party, code }) => ({ party, code })),
  warnings: warnings.map(({ party, code }) => ({ party, code })),
});

type Outcome = Pick<z.output<typeof saleReceipt>, 'reproduced' | 'reproducedMessage'>;

type Reproduction = Outcome & Pick<z.output<typeof saleReceipt>, 'facts' | 'configs' | 'classKinds'>;

/** The outcome for a receipt that other rules decided. */
const decidedByOthers = (rules: number): Outcome => ({
  reproduced: null,
  reproducedMessage: `The receipt was decided by the rules with the number ${rules}, and those of today have the number ${rulesNumber}: the decision is not made again.`,
});

/** The outcome for a receipt that names what is no longer kept. */
export const deleted = {
  reproduced: null,
  reproducedMessage:
    'Something that the receipt names is no longer stored: a version of a license or an appointment that was replaced long ago is deleted after twenty years.',
} as const satisfies Outcome;

/** The versions of configs that decide checks again: those that the receipt names, and whatever else of then does. */
async function readConfigs(
  table: Table,
  { organizationId: owner, knownAt, configs }: ReceiptPayload,
  checks: readonly ResolvedCheck[],
): Promise<StoredConfigVersion[]> {
  const named = new Set(configs.map(({ id }) => id));
  const settledAt = settledBefore(knownAt);
  const ofProduct = Map.groupBy(
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

/** What a receipt rests on, and whether the decision made again, from that and what was decided then, is the same. */
async function reproductionOf(
  { payload, today, carrier, verifiedWithinDays, resolved }: Receipt,
  { tables, recordedFacts, classKindsOf }: Pick<Deps, 'tables' | 'recordedFacts' | 'classKindsOf'>,
): Promise<Reproduction> {
  const { organizationId: owner, knownAt, checks } = payload;
  const [holders, configs, kinds] = await Promise.all([
    readHolders(recordedFacts, owner, holdersOf(resolved)),
    readConfigs(tables.compliance, payload, resolved),
    classKindsOf(owner),
  ]);
  const facts = asOfReceipt(
    holders.flatMap(({ npn, items }) => items.map((item) => ({ npn, item }))),
    ({ npn, item }) => sourceOfFact(npn, item),
    payload.facts,
    knownAt,
  );
  const versions = asOfReceipt<StoredConfigVersion, ConfigSource>(
    configs,
    sourceOfConfig,
    payload.configs,
    knownAt,
  );
  const classKinds = asOfReceipt(kinds, sourceOfClassKind, payload.classKinds, knownAt);
  const sources = { facts: facts.sources, configs: versions.sources, classKinds: classKinds.sources };
  const found = [facts, versions, classKinds].map(({ is }) => is);
  if (payload.rules !== rulesNumber) return { ...sources, ...decidedByOthers(payload.rules) };
  if (found.includes('changed')) return { ...sources, reproduced: false };
  if (found.includes('deleted')) return { ...sources, ...deleted };
  const then = holders.map(({ npn, visits }) => ({
    npn,
    visits,
    items: facts.deciding.flatMap((one) => (one.npn === npn ? [one.item] : [])),
  }));
  const inputs = {
    knownAt,
    today,
    carrier,
    verifiedWithinDays,
    classKinds: classKinds.deciding,
    coverageOf: coveragesOf(then, knownAt, classKinds.deciding),
    configsOf: (productId: string) => versions.deciding.filter((one) => one.productId === productId),
  };
  const reproduced = checks.every(({ asked: _asked, ...check }, index) => {
    const again = resolved[index];
    return (
      again !== undefined && isDeepStrictEqual(withoutWords(answerOf(again, inputs)), withoutWords(check))
    );
  });
  return { ...sources, reproduced };
}

/**
 * A receipt, and whether it is reproduced (OpenAPI, "May she sell?").
 * @throws ApiError `not_found` for an unknown or foreign receipt.
 */
export const getSaleReceipt: ComplianceOperation<'getSaleReceipt'> = async (
  { identity, params: { receiptId } },
  deps,
) => {
  const receipt = existing(await findReceipt(deps.tables.saleReceipts, identity.organizationId, receiptId));
  const checks = receipt.payload.checks.map(({ asked: _asked, ...check }) => check);
  return {
    receiptId,
    checks,
    jws: receipt.jws,
    rules: receipt.payload.rules,
    ...(await reproductionOf(receipt, deps)),
  };
};
