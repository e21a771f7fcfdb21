import { gunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { collect } from '../../platform/data/collect.ts';
import { promisify } from '../../platform/data/node-util.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { carrierIdentity } from '../compliance/carrier-identity.ts';
import { askedCheck, saleCheck } from './resource.ts';

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

const part = storedItem('sale-receipts/part', () => ({ part: z.instanceof(Uint8Array) }));

const decompress = promisify(gunzip);

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
  const bytes = await decompress(Buffer.concat(parts.map((one) => one.part)));
  const receipt = parseStored(kept, JSON.parse(bytes.toString()));
  const [, signed = ''] = receipt.jws.split('.');
  const payload = parseStored(receiptPayload, JSON.parse(Buffer.from(signed, 'base64url').toString()));
  return { ...receipt, payload };
}
