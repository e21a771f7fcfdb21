import { pk, type TableDesign } from '../data/table-design.ts';

/**
 * Organizations and their credentials; every read is one key, but those of operators who know a name.
 *
 * | item | pk |
 * |---|---|
 * | organization | `ORGANIZATION#<organizationId>` |
 * | API client | `CLIENT#<clientId>` |
 * | restricted access token | `TOKEN#<SHA-256 of the token, hex>` |
 * | hash of a token, found by the token's id | `TOKEN_ID#<tokenId>` |
 */
export const organizationsTable = {
  name: 'organizations',
  partitionKey: pk,
  kind: 'business',
} as const satisfies TableDesign;
