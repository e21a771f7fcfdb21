import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import * as z from 'zod/mini';
import { absentOr, below } from '../data/expressions.ts';
import { storedItem } from '../data/stored.ts';
import type { Table } from '../data/table.ts';
import { type Log, toError } from '../log/log.ts';

/** 256 random bits after a prefix by which secret scanners recognize a leaked value. */
const randomValue = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

export const newClientId = (): string => `client_${randomBytes(12).toString('hex')}`;
export const newClientSecret = (): string => randomValue('secret');
export const newRestrictedAccessToken = (): string => randomValue('rat');

/** The hash that is stored of a secret. Plain SHA-256 suffices: the values are random, not chosen by people. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares a presented secret with a stored hash in constant time. */
export const secretMatches = (presentedSecret: string, storedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(presentedSecret), 'hex'), Buffer.from(storedHash, 'hex'));

/**
 * The one spelling in which addresses are compared: RFC 5952's of an IPv6 address, and of an IPv4-mapped one its IPv4 address. One
 * with a zone stays as it is.
 */
export const canonicalAddress = (address: string): string =>
  isIPv6(address) && !address.includes('%')
    ? new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '')
    : address;

/**
 * Times at which credentials were last used: items beside the rate counters, since a function that checks credentials need not be able to
 * write to organizations and credentials themselves.
 */
const credentialUse = storedItem('rate-counters/credential-use', () => ({
  pk: z.string(),
  lastUsedAt: z.string(),
}));

const useKey = (credentialId: string) => ({ pk: `used#${credentialId}` });

/** Days after which an unused credential is one that was never used. */
const usesKeptDays = 400;
const daySeconds = 86_400;

/** Records the use of a credential: the first one of each day (UTC), so that hardly any request waits for it. Never throws. */
export type RecordUse = (credentialId: string) => Promise<void>;

export function createRecordUse(table: Table, now: () => Date, log: Log): RecordUse {
  let today = '';
  const recordedIds = new Set<string>();
  return async (credentialId) => {
    const time = now();
    const lastUsedAt = time.toISOString();
    const day = lastUsedAt.slice(0, 10);
    if (day !== today) {
      today = day;
      recordedIds.clear();
    }
    if (recordedIds.has(credentialId)) return;
    // Before it is written: while the table is down, not every request waits for it.
    recordedIds.add(credentialId);
    const expiresAt = Math.floor(time.getTime() / 1000) + usesKeptDays * daySeconds;
    try {
      await table.update(
        useKey(credentialId),
        { lastUsedAt, expiresAt },
        { lastUsedAt: absentOr(below(day)) },
      );
    } catch (error) {
      // The caller's credential is valid, whether or not an operator learns that it is used.
      log.warn('The use of a credential was not recorded.', {
        event: 'credential_use_not_recorded',
        credentialId,
        error: toError(error),
      });
    }
  };
}

/** The first use on the last day on which each of these credentials was used. */
export async function lastUses(
  table: Table,
  credentialIds: readonly string[],
): Promise<(credentialId: string) => string | undefined> {
  const useOf = await table.getByKey(credentialUse, credentialIds.map(useKey));
  return (credentialId) => useOf(useKey(credentialId))?.lastUsedAt;
}
