import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod/mini';
import { carrierIdentity } from '../../shared/domain/compliance/carrier-identity.ts';
import { itemBytes, KB, MB } from '../../shared/platform/aws/limits.ts';
import { tooLarge } from '../../shared/platform/contract/errors.ts';
import { objectId, timestamp } from '../../shared/platform/contract/primitives.ts';
import type { SignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { promisify } from '../../shared/platform/data/node-util.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import {
  type Evidence,
  evidenceOfConfig,
  evidenceOfFact,
  type HolderItems,
  type Material,
} from './material.ts';
import { type AskedCheck, askedCheck, type SaleCheck, saleCheck, type saleCheckAnswers } from './routes.ts';

const evidence = () => z.array(z.object({ id: objectId, hash: z.string() }));

/** What a receipt's signature covers. */
const receiptPayload = storedItem('sale-receipts/payload', () => ({
  receiptId: objectId,
  organizationId: objectId,
  asOf: z.iso.date(),
  knownAt: timestamp,
  /** When it was issued, in Unix seconds. */
  iat: z.int(),
  /** Each check as it was answered, with what was asked. */
  checks: z.array(z.object({ ...saleCheck.shape, asked: askedCheck })),
  facts: evidence(),
  configs: evidence(),
}));

export type ReceiptPayload = z.output<typeof receiptPayload>;

/** What is kept of a receipt: what was signed, and what the registry knew the carrier by. */
const kept = storedItem('sale-receipts/kept', () => ({ jws: z.string(), carrier: carrierIdentity }));

export type Receipt = z.output<typeof kept> & { readonly payload: ReceiptPayload };

/** What checks were answered by. */
export interface Answered {
  readonly organizationId: string;
  readonly asOf: string;
  readonly asked: readonly AskedCheck[];
  readonly checks: SaleCheck[];
  readonly holders: readonly HolderItems[];
  readonly material: Material;
}

type Answers = z.output<typeof saleCheckAnswers>;

const keptYears = 10;

/** Bytes of what is signed: with the response that an idempotency key records, it has to fit into one transaction. */
const longestPayload = MB;

/** What to do instead of asking for too much at once. */
export const divided = 'Divide the checks among several requests.';

/** Bytes of a part; its other attributes need less than a hundred. */
const partBytes = itemBytes - KB;

const part = storedItem('sale-receipts/part', () => ({ part: z.instanceof(Uint8Array) }));

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

const named = ({ id, hash }: Evidence) => ({ id, hash });

function payloadOf({ organizationId, asOf, asked, checks, holders, material }: Answered, now: Date) {
  const { knownAt, configsOf } = material;
  const products = new Set(checks.flatMap(({ product }) => product?.productId ?? []));
  return {
    receiptId: newObjectId(now),
    organizationId,
    asOf,
    knownAt,
    iat: Math.floor(now.getTime() / 1_000),
    checks: checks.map((check, index) => ({ ...check, asked: asked[index] })),
    facts: holders
      .flatMap(({ items }) => items.map(evidenceOfFact))
      .filter(({ recordedAt }) => recordedAt <= knownAt)
      .map(named),
    configs: [...products].flatMap(configsOf).map(evidenceOfConfig).map(named),
  };
}

/** Receipts of an organization's sale checks. */
export function createReceipts(table: Table, keys: SignatureKeys) {
  const partition = (organizationId: string, receiptId: string): string => `${organizationId}#${receiptId}`;
  return {
    /**
     * Signs a receipt and stores it, in one transaction with the recorded response.
     * @throws ApiError 413 where it would be too large.
     */
    async issue(
      answered: Answered,
      now: Date,
      recordResponse: (answers: Answers) => readonly TransactionItem[],
    ): Promise<Answers> {
      const payload = payloadOf(answered, now);
      const signed = JSON.stringify(payload);
      if (Buffer.byteLength(signed) > longestPayload) {
        throw tooLarge('The receipt would be larger than 1 MB.', { instead: divided });
      }
      const jws = await keys.sign(signed);
      const { carrier } = answered.material;
      const bytes = await compress(JSON.stringify({ jws, carrier }));
      const { organizationId, checks } = answered;
      const { receiptId } = payload;
      const expiresAt = new Date(now);
      expiresAt.setUTCFullYear(now.getUTCFullYear() + keptYears);
      const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) =>
        table.items.put(
          {
            pk: partition(organizationId, receiptId),
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
    },

    async find(organizationId: string, receiptId: string): Promise<Receipt | undefined> {
      const parts = await collect(
        table.query(part, partition(organizationId, receiptId), { consistent: true }),
      );
      if (parts.length === 0) return undefined;
      const bytes = await decompress(Buffer.concat(parts.map((one) => one.part)));
      const receipt = parseStored(kept, JSON.parse(bytes.toString()));
      const [, signed = ''] = receipt.jws.split('.');
      const payload = parseStored(receiptPayload, JSON.parse(Buffer.from(signed, 'base64url').toString()));
      return { ...receipt, payload };
    },
  };
}
