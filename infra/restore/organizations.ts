import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import {
  apiClient,
  organization,
  restrictedAccessToken,
} from '../../shared/platform/identity/organization.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import { Refusal } from '../operator-tool.ts';

/** What a line of an export is about: who the customers are, and what proves it. */
type LineType = 'organization' | 'api-client' | 'restricted-access-token';

interface Kind {
  readonly schema: CompatibleSchema<Record<string, unknown>>;
  /** Identifies a record of this kind, in a line and in the key. */
  readonly id: string;
  readonly keyOf: (id: string) => { readonly pk: string };
}

const kinds: Readonly<Record<LineType, Kind>> = {
  organization: { schema: organization, id: 'organizationId', keyOf: organizationKeys.organization },
  'api-client': { schema: apiClient, id: 'clientId', keyOf: organizationKeys.client },
  'restricted-access-token': {
    schema: restrictedAccessToken,
    id: 'tokenHash',
    keyOf: organizationKeys.token,
  },
};
const types = Object.keys(kinds) as LineType[];

const key = z.object({ pk: z.string() });
const line = z.looseObject({ type: z.enum(types) });

/**
 * Every organization and credential of a table as lines of JSON; of secrets there are only hashes. The items by which tokens
 * are found by their ids are left out, because an import makes them.
 */
export async function* exportOrganizations(
  client: DynamoDBClient,
  TableName: string,
): AsyncGenerator<string> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items.map((one) => unmarshall(one))) {
      const { pk } = z.parse(key, item);
      if (pk.startsWith(organizationKeys.tokenById('').pk)) continue;
      const type = types.find((one) => pk.startsWith(kinds[one].keyOf('').pk));
      if (type === undefined) throw new Error(`${TableName} holds an item that is not known: ${pk}.`);
      const { schema, id, keyOf } = kinds[type];
      const recordId = pk.slice(keyOf('').pk.length);
      yield JSON.stringify({ type, ...parseStored(schema, item), [id]: recordId });
    }
  }
}

interface Line {
  readonly number: number;
  readonly type: LineType;
  readonly recordId: string;
  readonly record: Record<string, unknown>;
}

function readLine(text: string, number: number): Line | string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return `line ${number} is not JSON`;
  }
  const typed = z.safeParse(line, given);
  if (!typed.success) return `line ${number}: type must be one of ${types.join(', ')}`;
  const { type, ...values } = typed.data;
  const { schema, id } = kinds[type];
  const recordId = values[id];
  if (typeof recordId !== 'string' || recordId === '') return `line ${number}: ${id} is missing`;
  const record = z.safeParse(schema, values);
  if (record.success) return { number, type, recordId, record: record.data };
  return `line ${number}: ${record.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`).join(', ')}`;
}

class Taken extends Error {}

const recordsAtOnce = 20;

/**
 * Writes what was exported into a table. Nothing is written unless every line can be read. A record that is there already stays
 * as it is, so that a repeat goes on where the last one ended.
 *
 * @returns how many records were written, and how many were there.
 * @throws Refusal with every line at fault; with every record that is there and differs, after all others were written
 */
export async function importOrganizations(
  client: DynamoDBClient,
  table: string,
  lines: readonly string[],
): Promise<{ readonly imported: number; readonly present: number }> {
  const read = lines.map((text, index) => readLine(text, index + 1));
  const faults = read.filter((one) => typeof one === 'string');
  if (faults.length > 0) throw new Refusal(['Nothing was imported:', ...faults].join('\n  '));

  const done = { imported: 0, present: 0 };
  const different: string[] = [];
  const records = read.filter((one) => typeof one !== 'string');
  await concurrently(records, recordsAtOnce, async ({ number, type, recordId, record }) => {
    const { schema, keyOf } = kinds[type];
    const items: Record<string, unknown>[] = [{ ...keyOf(recordId), ...record }];
    if (type === 'restricted-access-token') {
      items.push({ ...organizationKeys.tokenById(String(record['tokenId'])), tokenHash: recordId });
    }
    const writes = items.map((item) => ({
      write: {
        Put: {
          TableName: table,
          Item: toItem(item),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      refused: () => new Taken(),
    }));
    try {
      await transact(client, writes);
      done.imported += 1;
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      const stored = await getItem(client, table, keyOf(recordId), schema, { consistent: true });
      if (isDeepStrictEqual(stored, record)) done.present += 1;
      else different.push(`line ${number}: ${type} is in the table and differs`);
    }
  });
  if (different.length === 0) return done;
  throw new Refusal(
    [`${done.imported} records were imported, ${done.present} were there:`, ...different].join('\n  '),
  );
}
