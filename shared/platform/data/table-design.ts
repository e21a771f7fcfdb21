/**
 * The tables as data: the infrastructure creates them, the stores address them and the store tests build them from this
 * one description. The comment above each table describes its keys.
 */
export interface TableDesign {
  /** Logical name; the environment variable that carries the physical one is this name in capitals. */
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  /** Global secondary indexes by name. Sparse: an item without the key attributes is not in the index. */
  readonly indexes?: Readonly<Record<string, IndexDesign>>;
  /** Attribute holding Unix seconds after which DynamoDB may delete the item. */
  readonly timeToLive?: string;
  /** Whether the table has a stream of its changes, each with the new item. */
  readonly stream?: 'new image';
  /** `business` data must never be lost; `transient` data may be rebuilt or may expire. */
  readonly kind: 'business' | 'transient';
}

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N';
}

export interface IndexDesign {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute;
  /** Attributes of an item in the index: all, its keys, or these attributes beside them, by which it is filtered. */
  readonly projection: 'all' | 'keys' | readonly string[];
}

/** The partition key of most tables. */
export const pk = { name: 'pk', type: 'S' } as const;
/** The sort key of most tables. */
export const sk = { name: 'sk', type: 'S' } as const;

/** An index by its attributes, which are texts unless they say otherwise; it holds items' keys alone by default. */
export const index = (
  partition: string,
  sort: string | KeyAttribute,
  projection: IndexDesign['projection'] = 'keys',
): IndexDesign => ({
  partitionKey: { name: partition, type: 'S' },
  sortKey: typeof sort === 'string' ? { name: sort, type: 'S' } : sort,
  projection,
});

/** The changes of an aggregate, for those who follow a list; see `shared/platform/changes/change-index.ts`. */
export const byChange = index('changeKey', 'changedAt');

/** Data that must never be lost, in a table whose keys are `pk` and `sk`. */
export const businessTable = <
  const Name extends string,
  const Others extends Pick<TableDesign, 'indexes' | 'timeToLive' | 'stream'>,
>(
  name: Name,
  otherTables: Others,
) => ({ name, partitionKey: pk, sortKey: sk, kind: 'business' as const, ...otherTables });

// The tables that the platform itself reads and writes, and their keys: credentials, idempotency records, and rate counters.

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

/** Partition keys of the organizations table. */
export const organizationKeys = {
  organization: (organizationId: string) => ({ pk: `ORGANIZATION#${organizationId}` }),
  client: (clientId: string) => ({ pk: `CLIENT#${clientId}` }),
  token: (tokenHash: string) => ({ pk: `TOKEN#${tokenHash}` }),
  tokenById: (tokenId: string) => ({ pk: `TOKEN_ID#${tokenId}` }),
};

/**
 * Remembered answers of writes, one item per idempotency key and scope (`pk`), encrypted with a key that only the caller's
 * idempotency key gives; see `shared/platform/request/idempotency.ts`.
 */
export const idempotencyTable = {
  name: 'idempotency',
  partitionKey: pk,
  timeToLive: 'expiration',
  kind: 'transient',
} as const satisfies TableDesign;

/**
 * Counters of rate-limited requests, one item per class, subject and window: `pk` = `<class>#<subject>#<window start>`; and the
 * lists that an organization has open (`shared/platform/request/rate-limit.ts`): `pk` = `open#<organizationId>#<group>`.
 */
export const rateCountersTable = {
  name: 'rate-counters',
  partitionKey: pk,
  timeToLive: 'expiresAt',
  kind: 'transient',
} as const satisfies TableDesign;

/** Uses of the tables of `writeServices` by a function with routes that write. */
export const writeServiceTables = {
  idempotency: { items: ['GetItem', 'UpdateItem', 'DeleteItem'] },
  rateCounters: { items: ['UpdateItem'] },
} as const;
