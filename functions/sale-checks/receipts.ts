import { brotliCompress, constants } from 'node:zlib';
import type * as z from 'zod/mini';
import { rulesNumber } from '#domain/decision/reasons.ts';
import type { DecisionInputs, ResolvedCheck } from '#domain/sale-checks/answer.ts';
import { hashOf, receiptPartition, shownSources, sourcesOf } from '#domain/sale-checks/receipt.ts';
import type { AskedCheck, SaleCheck } from '#domain/sale-checks/resource.ts';
import { KB, MB } from '#platform/aws/limits.ts';
import { tooLarge } from '#platform/contract/errors.ts';
import type { SignatureKeys } from '#platform/crypto/signature-keys.ts';
import { isNew } from '#platform/data/expressions.ts';
import { promisify } from '#platform/data/json.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { largestItem, type Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { saleCheckAnswers } from './routes.ts';

/** Checks with their answers and what they rest on. */
export interface AnsweredChecks {
  readonly organizationId: string;
  readonly asOf: string;
  readonly asked: readonly AskedCheck[];
  readonly resolved: readonly ResolvedCheck[];
  readonly checks: SaleCheck[];
  readonly inputs: DecisionInputs;
}

type Answers = z.output<typeof saleCheckAnswers>;

const keptYears = 10;

/** Bytes of what is signed: with the response that an idempotency key records, it has to fit into one transaction. */
export const longestPayload = MB;

/** Bytes of what is kept, compressed: with that response, it has to fit into a transaction. */
export const longestKept = 3 * MB;

/** Advice where a request asks for too much at once. */
export const divideAdvice = 'Divide the checks among several requests.';

/** Bytes of a part; its other attributes need less than a hundred. */
const partBytes = largestItem - KB;

const tooLong = () => tooLarge('The receipt would be too large.', { instead: divideAdvice });

const brotli = promisify(brotliCompress);

/** Brotli finds the same rows again in megabytes, gzip within 32 KB; of what it does better it does the cheapest. */
const compress = (text: string): Promise<Buffer> =>
  brotli(Buffer.from(text), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/**
 * Signs a receipt and stores it, in one transaction with the recorded response.
 * @throws ApiError 413 where it would be too large.
 */
export async function issueReceipt(
  table: Table,
  keys: Pick<SignatureKeys, 'sign'>,
  { organizationId, asOf, asked, checks, resolved, inputs }: AnsweredChecks,
  now: Date,
  recordResponse: (answers: Answers) => readonly TransactionItem[],
): Promise<Answers> {
  const { sources, parties } = sourcesOf(resolved, inputs);
  const receiptId = newObjectId(now);
  const payload = JSON.stringify({
    receiptId,
    organizationId,
    asOf,
    knownAt: inputs.knownAt,
    iat: Math.floor(now.getTime() / 1_000),
    rules: rulesNumber,
    checks: checks.map((check, index) => ({ ...check, asked: asked[index] })),
    sourcesHash: hashOf(shownSources(sources)),
  });
  if (Buffer.byteLength(payload) > longestPayload) throw tooLong();
  const jws = await keys.sign(payload);
  const ofChecks = resolved.map(({ isPresent, found }, index) => ({
    isPresent,
    found,
    parties: parties[index],
  }));
  const bytes = await compress(JSON.stringify({ jws, resolved: ofChecks, sources }));
  if (bytes.length > longestKept) throw tooLong();
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
}
