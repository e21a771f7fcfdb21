// Shared by the tests of associations. Each file that imports it gets its own tables before its first test.

import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { EventOptions } from './api-event.ts';
import { type Asked, associationsOnTables } from './associations.ts';
import { dynamo } from './tables.ts';

export const { routes } = downstreamEntityAssociationRoutes;

export let context: Awaited<ReturnType<typeof associationsOnTables>>;

beforeAll(async () => {
  context = await associationsOnTables();
});

beforeEach(() => {
  context.controls.now = () => new Date();
  context.controls.sendToRegistrySync = async () => {};
});

let count = 0;

/** The body that adds a new agency. */
export const draft = (fields: object = {}): object => {
  count += 1;
  return {
    downstreamEntityName: `Agency ${count}`,
    firstName: 'Maria',
    lastName: 'Delgado',
    email: `contact-${count}@example.com`,
    category: 'agency',
    isNpnRequired: false,
    ...fields,
  };
};

type Options = Pick<EventOptions, 'headers' | 'identity'>;

/** Adds an association for a carrier. */
export const add = (owner: string, fields: object = {}, options: Options = {}): Promise<Asked> =>
  context.ask(owner, routes.addAssociation, { body: draft(fields), ...options });

/** Adds an association; answers its id. */
export const added = async (owner: string, fields: object = {}): Promise<string> => {
  const { status, data, json } = await add(owner, fields);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return String(data['_id']);
};

/** The parameters of a route on one association. */
export const at = (downstreamEntityAssociationId: string) => ({ params: { downstreamEntityAssociationId } });

/** Changes an association. */
export const change = (owner: string, id: string, body: object, options: Options = {}): Promise<Asked> =>
  context.ask(owner, routes.updateAssociation, { ...at(id), body, ...options });

/** The ids of a carrier’s list, sorted. */
export const list = async (owner: string, query: Record<string, string> = {}): Promise<string[]> => {
  const { data, json } = await context.ask(owner, routes.listAssociations, { query });
  if (!Array.isArray(data)) throw new Error(JSON.stringify(json));
  return data.map(({ _id }: { _id: string }) => _id).sort();
};

/** The number of responses by status and error type. */
export const tally = (answers: readonly Asked[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status, errorType } of answers) {
    const key = `${status} ${String(errorType ?? '')}`.trim();
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
};

/** A stored item of the associations' table. */
export const itemOf = async (key: Record<string, string>): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: context.tables.associations, Key: toItem(key), ConsistentRead: true }),
  );
  return Item && unmarshall(Item);
};

/** Stores an agency that is already on the platform; answers its id. */
export async function entity(fields: object = {}): Promise<string> {
  const _id = newObjectId(new Date());
  const now = new Date().toISOString();
  await context.put('downstreamEntities', {
    pk: `ENTITY#${_id}`,
    _id,
    legalName: 'Lone Star Brokerage',
    category: 'agency',
    npn: '17654321',
    ein: null,
    isNpnRequired: true,
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  return _id;
}
