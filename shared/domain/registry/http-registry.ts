import * as z from 'zod/mini';
import type { SecretText } from '../../platform/config/secret-text.ts';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { jsonText } from '../../platform/data/json-text.ts';
import { npn } from '../identifiers/npn.ts';
import { entityReport } from './read-rows.ts';
import {
  type EntityReport,
  type Registry,
  type RegistryPolls,
  RegistryUnavailable,
  registryEntity,
  unknownNpn,
} from './registry.ts';
import { currentKey, defaultTimeouts, type RegistryTimeouts, requested } from './requests.ts';

interface HttpRegistryOptions {
  readonly address: string;
  readonly key: SecretText;
  readonly timeouts?: RegistryTimeouts;
}

const rows = () => z.array(z.unknown());
/** The answers, whose rows are read one by one. */
const entityAnswer = object(() => ({
  ...registryEntity.shape,
  residentStateCode: z.catch(registryEntity.shape.residentStateCode, null),
  licenses: rows(),
  appointments: rows(),
}));
const actionsAnswer = object(() => ({ regulatoryActions: rows() }));
const changesAnswer = object(() => ({
  npns: z.array(npn),
  cursor: z.string(),
  until: z.optional(timestamp),
}));

/**
 * The registry over HTTP: `GET /entities/{npn}`, `GET /entities/{npn}/regulatory-actions`, `PUT /subscriptions/{npn}`, and
 * `GET /changes?since=<cursor>`, which answers 404 where no lists of changes are kept. Network faults, 429 and 5xx are retried with jitter, and so is a refused key, which
 * may just have been replaced. Errors never hold a response's body: it contains personal data.
 */
export function createHttpRegistry({
  address,
  key,
  timeouts = defaultTimeouts,
}: HttpRegistryOptions): Registry & RegistryPolls {
  const base = address.replace(/\/+$/, '');

  const request = (method: string, path: string): Promise<Buffer | undefined> =>
    requested(timeouts, key, async (signal) => {
      const headers = { accept: 'application/json', 'x-api-key': await currentKey(key) };
      return () => fetch(base + path, { method, headers, redirect: 'error', signal });
    });

  async function fetchAs<Schema extends z.core.$ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const text = await request('GET', path);
    if (text === undefined) return undefined;
    const parsed = z.safeParse(z.pipe(jsonText, schema), text.toString());
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`);
    throw new RegistryUnavailable(`The registry returned an invalid response: ${faults.join(', ')}.`);
  }

  async function fetchReport(npn: string): Promise<EntityReport | undefined> {
    const entity = await fetchAs(`/entities/${npn}`, entityAnswer);
    if (entity === undefined) return undefined;
    const answer = await fetchAs(`/entities/${npn}/regulatory-actions`, actionsAnswer);
    return entityReport(entity, entity.licenses, entity.appointments, answer?.regulatoryActions ?? []);
  }

  return {
    async subscribe(npn) {
      await request('PUT', `/subscriptions/${npn}`);
    },
    fetch: fetchReport,
    callsPerPoll: 2,
    changesSince: (cursor) =>
      fetchAs(
        cursor === undefined ? '/changes' : `/changes?since=${encodeURIComponent(cursor)}`,
        changesAnswer,
      ),
    poll: async (npn) => (await fetchReport(npn)) ?? unknownNpn,
  };
}
