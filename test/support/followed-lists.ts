import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { tablesOf } from '#domain/tables.ts';
import type { Route } from '#platform/contract/route.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { uses as movesUses } from '../../functions/agency-moves/uses.ts';
import { agentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { downstreamEntityAssociationsFunction } from '../../functions/downstream-entity-associations/function.ts';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { uses as associationsUses } from '../../functions/downstream-entity-associations/uses.ts';
import { importFunction } from '../../functions/import/function.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import { uses as importUses } from '../../functions/import/uses.ts';
import { policiesFunction } from '../../functions/policies/function.ts';
import { policyRoutes } from '../../functions/policies/routes.ts';
import { surplusLinesFilingsFunction } from '../../functions/surplus-lines-filings/function.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { importedBy, movesOn } from './imports.ts';
import { linkSecret } from './link-secret.ts';
import { createTables, tablesUsedBy } from './tables.ts';

/** Object storage without objects: links are computed, and every upload is still missing. */
const objectStore: ObjectStore = {
  scans: false,
  scanResult: async () => undefined,
  downloadLink: async ({ objectKey }, disposition, now) => ({
    url: `https://files.example/${objectKey}?${disposition}`,
    expiresAt: now.toISOString(),
  }),
  uploadLink: () => Promise.reject(new Error('nothing is uploaded here')),
  put: () => Promise.reject(new Error('nothing is written here')),
  readStart: async () => undefined,
  copy: () => Promise.reject(new Error('nothing is copied here')),
};

export const routes = {
  ...policyRoutes.routes,
  ...agentRoutes.routes,
  ...downstreamEntityAssociationRoutes.routes,
  ...surplusLinesFilingRoutes.routes,
};

/** The lists that callers can follow, and the id of their records. */
export const followedLists = [
  { name: 'policies', route: routes.listPolicies, idOf: (item: Item) => String(item['_id']) },
  {
    name: 'agents',
    route: routes.listAgents,
    idOf: (item: Item) => String((item['agent'] as Item | undefined)?.['_id'] ?? item['_id']),
  },
  { name: 'associations', route: routes.listAssociations, idOf: (item: Item) => String(item['_id']) },
  { name: 'filings', route: routes.listFilings, idOf: (item: Item) => String(item['_id']) },
] as const;

export type Item = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  readonly details: { readonly issues?: readonly object[]; readonly earliest?: unknown } | undefined;
}

export type FollowedTables = Awaited<ReturnType<typeof followedTables>>;

/** New tables, as the functions of these lists and an import need them. */
export const followedTables = () =>
  createTables([...tablesUsedBy(associationsUses, importUses, movesUses), 'webhooks']);

/** The functions on these tables, with a client and a clock of their own, as one instance of each has them. */
export function functionsOn(tables: FollowedTables, dynamo: DynamoDBClient, now: () => Date) {
  const context = testContext({ now });
  const pipelineOf = ({ path }: Route): Pipeline => {
    if (path.includes('policies')) return policiesFunction.compose({ dynamo, tables, context });
    if (path.includes('surplus-lines'))
      return surplusLinesFilingsFunction.compose({ dynamo, objectStore, tables, context });
    if (path.includes('/agents')) return agentsFunction.compose({ dynamo, tables, context });
    return downstreamEntityAssociationsFunction.compose({
      dynamo,
      linkSecret,
      sendToRegistrySync: async () => {},
      tables,
      agencyAppUrl: 'https://agency.example.com',
      questionsADay: 1_000,
      context,
    });
  };

  return {
    async ask(organizationId: string, route: Route, options: EventOptions = {}): Promise<Answer> {
      const { status, headers, data, json } = await send(pipelineOf(route), route, {
        identity: callerOf(organizationId),
        ...options,
      });
      return { status, headers, data, details: json['details'] as Answer['details'] };
    },

    async importFor(
      organizationId: string | undefined,
      ...records: readonly object[]
    ): Promise<ImportOutcome> {
      const lines = records.map((record) => JSON.stringify(record));
      const importRecords = importFunction.compose({
        tables: tablesOf(dynamo, tables),
        sendMoves: movesOn(tables, context.now),
        context,
      });
      return importedBy(await importRecords({ organizationId, firstLine: 1, lines }));
    },
  };
}

export type Functions = ReturnType<typeof functionsOn>;
