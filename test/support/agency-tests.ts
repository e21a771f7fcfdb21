// What the tests of the agency share. Whoever imports it has tables of its own, made before its first test.

import { randomUUID } from 'node:crypto';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import type { StoredDownstreamEntity } from '../../shared/downstream-entities/stored.ts';
import type { Identity } from '../../shared/identity/identity.ts';
import { agencyFunction } from './agency.ts';
import { entityOf } from './agency-records.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { category, checklistItem, escalation, filingOf, newId } from './filings.ts';

export const { routes } = agencyRoutes;

/** The day on which everything happens: 4 a.m. UTC, when it still is the day before in New York. */
export let now = new Date('2026-11-21T04:00:00.000Z');
export const today = '2026-11-20';

export let agency: Awaited<ReturnType<typeof agencyFunction>>;
beforeAll(async () => {
  agency = await agencyFunction(() => now);
});
beforeEach(() => {
  now = new Date('2026-11-21T04:00:00.000Z');
});

/** A caller of this organization's. */
export const identityOf = (organizationId: string): Identity => ({
  organizationId,
  category: 'downstreamEntity',
  // Each caller has a credential of its own, or the tests would meet the limit of writes.
  credentialId: randomUUID(),
});

interface Asked {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Sends one request of an organization's through the group's pipeline. */
export async function ask(
  organizationId: string,
  route: Parameters<typeof apiEvent>[0],
  options: Parameters<typeof apiEvent>[1] = {},
): Promise<Asked> {
  const event = apiEvent(route, { identity: identityOf(organizationId), ...options });
  const { status, body } = await agency.pipeline(event, lambdaContext);
  const json = JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;
  const data = (json['data'] ?? {}) as Record<string, unknown>;
  return { status, json, data, items: (data['items'] ?? []) as Record<string, unknown>[] };
}

/** The routes that answer a list. */
export const lists = Object.entries(routes).filter(([, { answer }]) => 'page' in answer);

/** An organization with one entity. */
export async function organization(
  fields: Partial<StoredDownstreamEntity> = {},
): Promise<{ readonly owner: string; readonly entity: StoredDownstreamEntity }> {
  const owner = newId();
  const entity = entityOf(owner, fields);
  await agency.put.entities(entity);
  return { owner, entity };
}

/** A filing of the agency's that waits for it, or does not. */
export const filingFor = (owner: string, downstreamEntityId: string, waits: boolean) =>
  filingOf(newId(), {
    downstreamEntityId,
    downstreamOrganizationId: owner,
    checklist: [
      category('signatures', [
        checklistItem('affidavit', {
          escalation: escalation({ status: waits ? 'waiting customer input' : 'resolved' }),
        }),
      ]),
    ],
  });

/** Sets the clock forward, until the test is over. */
export function letPass(ms: number): void {
  now = new Date(now.getTime() + ms);
}
