import * as z from 'zod/mini';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { adminAnswer, call, importRecords, newOrganization } from '../support/local-api.ts';
import type { Game } from './game.ts';

const associationsPath = '/v2/upstream/downstream-entity-associations';

/** What carriers do within a period, by what it goes through. */
export interface Traffic {
  /** Reads lists and records, and writes one. */
  readonly requests: () => Promise<void>;
  /** Asks for a synchronization with the registry. */
  readonly synchronizations: () => Promise<void>;
  /** Changes records, so that events go to receivers. */
  readonly events: () => Promise<void>;
}

const events = 2;
const readsEach = 3;

const created = z.object({ data: z.object({ _id: z.string() }) });

/** Makes a carrier with records and webhooks, three of them at one host of the provider, and what it does in a period. */
export async function createTraffic({ receivers }: Game): Promise<Traffic> {
  const { organizationId, bearer } = await newOrganization('upstreamEntity');
  let npn = 70_000_000;
  const nextNpn = (): string => {
    npn += 1;
    return String(npn);
  };
  const headers = bearer;
  const policies = Array.from({ length: 5 }, (_, index) => ({
    type: 'policy',
    policyNumber: `GL-2026-${1_000 + index}`,
    riskStateCode: 'TX',
  }));
  await importRecords(organizationId, ...policies);
  const [host] = receivers.provider;
  for (const url of [host, host, ...receivers.provider, receivers.other]) {
    const { json } = await call('POST', '/v2/upstream/webhooks', {
      headers,
      body: { url, types: ['AGENT_CREATED'] },
    });
    z.parse(created, json);
  }
  const lists = ['policies', 'agents', 'webhooks', 'compliance-configs', 'downstream-entity-associations'];

  const importAll = (records: readonly object[], emitEvents: boolean) =>
    adminAnswer('import', {
      organizationId,
      firstLine: 1,
      lines: records.map((record) => JSON.stringify(record)),
      emitEvents,
    });

  return {
    async requests() {
      for (let count = 0; count < readsEach; count += 1) {
        await Promise.all(lists.map((list) => call('GET', `/v2/upstream/${list}`, { headers })));
      }
    },
    async synchronizations() {
      const associations = [1, 2].map(() => ({
        type: 'association',
        _id: newObjectId(new Date()),
        npn: nextNpn(),
      }));
      await importAll(
        associations.map(({ npn: given, ...rest }) => ({
          ...rest,
          downstreamEntity: { legalName: 'A firm', category: 'agency', npn: given, isNpnRequired: true },
        })),
        false,
      );
      for (const { _id } of associations) await call('POST', `${associationsPath}/${_id}/sync`, { headers });
    },
    async events() {
      const agents = Array.from({ length: events }, () => ({
        type: 'agent',
        npn: nextNpn(),
        firstName: 'Maria',
        lastName: 'Delgado',
      }));
      await importAll(agents, true);
    },
  };
}
