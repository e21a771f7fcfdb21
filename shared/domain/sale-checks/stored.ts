import { brotliDecompress } from 'node:zlib';
import * as z from 'zod/mini';
import { object } from '#platform/contract/object.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { collect } from '#platform/data/concurrently.ts';
import { promisify } from '#platform/data/json.ts';
import { parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { partiesOfCheck, storedSources } from './receipt.ts';
import { answeredCheck, reason } from './resource.ts';

/** The payload of a receipt's signature. */
const receiptPayload = storedItem('sale-receipts/payload', () => ({
  receiptId: objectId,
  organizationId: objectId,
  asOf: z.iso.date(),
  knownAt: timestamp,
  /** Time of issue, in Unix seconds. */
  iat: z.int(),
  /** The number of the rules that decided. */
  rules: z.int(),
  checks: z.array(answeredCheck),
  sourcesHash: z.string(),
}));

export type ReceiptPayload = z.output<typeof receiptPayload>;

/** A check as it was resolved, beside what was answered of it. */
const resolvedCheck = object(() => ({
  isPresent: z.boolean(),
  found: z.array(reason),
  parties: partiesOfCheck,
}));

/** A receipt as it is stored: what was signed, and everything that decided. */
const storedReceipt = storedItem('sale-receipts/kept', () => ({
  jws: z.string(),
  resolved: z.array(resolvedCheck),
  sources: storedSources,
}));

export type Receipt = z.output<typeof storedReceipt> & { readonly payload: ReceiptPayload };

const part = storedItem('sale-receipts/part', () => ({ part: z.instanceof(Uint8Array) }));

const decompress = promisify(brotliDecompress);

/** The partition of a receipt's parts. */
export const receiptPartition = (organizationId: string, receiptId: string): string =>
  `${organizationId}#${receiptId}`;

/** An organization's receipt; undefined where it has none with that id. */
export async function findReceipt(
  table: Table,
  organizationId: string,
  receiptId: string,
): Promise<Receipt | undefined> {
  const parts = await collect(
    table.query(part, receiptPartition(organizationId, receiptId), { consistent: true }),
  );
  if (parts.length === 0) return undefined;
  const bytes = await decompress(Buffer.concat(parts.map((item) => item.part)));
  const receipt = parseStored(storedReceipt, JSON.parse(bytes.toString()));
  const [, signedPayload = ''] = receipt.jws.split('.');
  const payload = parseStored(receiptPayload, JSON.parse(Buffer.from(signedPayload, 'base64url').toString()));
  return { ...receipt, payload };
}
