import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';

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
