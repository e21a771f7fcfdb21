import { gzip } from 'node:zlib';
import type * as z from 'zod/mini';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import type { AskedCheck, SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
import {
  type DecisionInputs,
  type HolderItems,
  type ResolvedCheck,
  sourceOfClassKind,
  sourceOfConfig,
  sourceOfFact,
  withHash,
} from '../../shared/domain/sale-checks/sources.ts';
import { receiptPartition } from '../../shared/domain/sale-checks/stored.ts';
import { KB, MB } from '../../shared/platform/aws/limits.ts';
import { tooLarge } from '../../shared/platform/contract/errors.ts';
import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { promisify } from '../../shared/platform/data/json.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { largestItem, type Table } from '../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import type { saleCheckAnswers } from './routes.ts';

/** What checks were answered by. */
export interface Answered {
  readonly organizationId: string;
  readonly asOf: string;
  readonly asked: readonly AskedCheck[];
  readonly resolved: readonly ResolvedCheck[];
  readonly checks: SaleCheck[];
  readonly holders: readonly HolderItems[];
  readonly inputs: DecisionInputs;
}

type Answers = z.output<typeof saleCheckAnswers>;

const keptYears = 10;

/** Bytes of what is signed: with the response that an idempotency key records, it has to fit into one transaction. */
export const longestPayload = MB;

/** What to do instead of asking for too much at once. */
export const divided = 'Divide the checks among several requests.';

/** Bytes of a part; its other attributes need less than a hundred. */
const partBytes = largestItem - KB;

const compress = promisify(gzip);

function payloadOf({ organizationId, asOf, asked, checks, holders, inputs }: Answered, now: Date) {
  const { knownAt, classKinds, configsOf } = inputs;
  const products = new Set(checks.flatMap(({ product }) => product?.productId ?? []));
  return {
    receiptId: newObjectId(now),
    organizationId,
    asOf,
    knownAt,
    iat: Math.floor(now.getTime() / 1_000),
    rules: rulesNumber,
    checks: checks.map((check, index) => ({ ...check, asked: asked[index] })),
    facts: holders
      .flatMap(({ npn, items }) => items.map((item) => sourceOfFact(npn, item)))
      .filter(({ recordedAt }) => recordedAt <= knownAt)
      .map(withHash),
    configs: [...products].flatMap(configsOf).map(sourceOfConfig).map(withHash),
    classKinds: classKinds.map(sourceOfClassKind).map(withHash),
  };
}

/**
 * Signs a receipt and stores it, in one transaction with the recorded response.
 * @throws ApiError 413 where it would be too large.
 */
export const createIssueReceipt =
  (table: Table, keys: Pick<SignatureKeys, 'sign'>) =>
  async (
    answered: Answered,
    now: Date,
    recordResponse: (answers: Answers) => readonly TransactionItem[],
  ): Promise<Answers> => {
    const payload = payloadOf(answered, now);
    const signed = JSON.stringify(payload);
    if (Buffer.byteLength(signed) > longestPayload) {
      throw tooLarge(`The receipt would be larger than ${longestPayload / MB} MB.`, { instead: divided });
    }
    const jws = await keys.sign(signed);
    const { organizationId, checks, resolved, inputs } = answered;
    const { today, carrier, verifiedWithinDays } = inputs;
    const bytes = await compress(JSON.stringify({ jws, today, carrier, verifiedWithinDays, resolved }));
    const { receiptId } = payload;
    const expiresAt = new Date(now);
    expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + keptYears);
    const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) =>
      table.items.put(
        {
          pk: receiptPartition(organizationId, receiptId),
          sk: String(index).padStart(2, '0'),
          part: bytes.subarray(index * partBytes, (index + 1) * partBytes),
          expiresAt: Math.floor(expiresAt.getTime() / 1_000),
        },
        isNew,
      ),
    );
    const answers = { checks, receiptId, jws };
    await table.transact([...parts, ...recordResponse(answers)]);
    return answers;
  };
