import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import * as z from 'zod/mini';
import { count } from '../contract/primitives.ts';
import { features, organizationCategories } from '../contract/route.ts';
import { collect } from '../data/concurrently.ts';
import { startsWith } from '../data/expressions.ts';
import { storedItem } from '../data/stored.ts';
import type { Table } from '../data/table.ts';
import { organizationKeys } from '../data/table-design.ts';

/** A NAIC code of an organization that counts on some days alone, as before or after a merger; both days are included. */
export const codeOfDays = z.object({
  code: z.string(),
  from: z.optional(z.string()),
  until: z.optional(z.string()),
});

/** NAIC codes of an organization as they are stored: each one alone counts on every day. */
export const companyCodes = z.array(z.union([z.string(), codeOfDays]));

/** An organization as it is stored, with its subscription and features. */
export const organization = storedItem('organizations/organization', {
  organizationId: z.string(),
  name: z.string(),
  category: z.enum(organizationCategories),
  features: z.array(z.enum(features)),
  subscription: z.enum(['active', 'inactive']),
  /** Most live associated agencies that the plan admits. */
  planCeiling: count,
  /** NAIC company codes and EINs of the organization in the registry. An appointment by any of them is its own. */
  naicCodes: companyCodes,
  eins: z.array(z.string()),
  /** Settings by which a carrier's policies and sales are judged (`carrierSettings`); defaults where there are none. */
  policiesNameAgents: z.optional(z.boolean()),
  verifiedWithinDays: z.optional(z.nullable(z.int())),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type Organization = z.output<typeof organization>;

/** An API client as it is stored, with only a hash of its secret. */
export const apiClient = storedItem('organizations/api-client', {
  clientId: z.string(),
  organizationId: z.string(),
  /** Copied from the organization, whose category never changes, so that one read decides an exchange. */
  category: z.enum(organizationCategories),
  name: z.string(),
  secretHash: z.string(),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});

export type ApiClient = z.output<typeof apiClient>;

/** A restricted access token as it is stored, under the hash of its value. */
export const restrictedAccessToken = storedItem('organizations/restricted-access-token', {
  tokenId: z.string(),
  organizationId: z.string(),
  name: z.string(),
  /** Exact IP addresses; an empty list admits nobody (OpenAPI, "Credentials"). */
  ipAddresses: z.array(z.string()),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});

export type RestrictedAccessToken = z.output<typeof restrictedAccessToken>;

/** Organizations, read consistently, for operators: they see a change made a moment ago. */
export type Organizations = ReturnType<typeof createOrganizations>;

export const createOrganizations = (organizations: Table) => ({
  find: (organizationId: string) =>
    organizations.get(organization, organizationKeys.organization(organizationId)),
  /** All of them: the whole table is read, some megabytes at most. */
  all: () =>
    collect(organizations.scan(organization, { pk: startsWith(organizationKeys.organization('').pk) })),
});

/** Reads of organizations and credentials. */
export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export function createOrganizationStore(organizations: Table) {
  const options = { consistent: false };
  return {
    findOrganization: (organizationId: string) =>
      organizations.get(organization, organizationKeys.organization(organizationId), options),
    findClient: (clientId: string) =>
      organizations.get(apiClient, organizationKeys.client(clientId), options),
    findToken: (tokenHash: string) =>
      organizations.get(restrictedAccessToken, organizationKeys.token(tokenHash), options),
  };
}

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
