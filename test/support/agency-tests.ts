// Shared by the tests of the agency. Each file that imports it gets its own tables before its first test.

import type { StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import type { Identity } from '#platform/identity/identity.ts';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import { agencyFunction } from './agency.ts';
import { entityOf } from './agency-records.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { category, checklistItem, escalation, filingOf, newId } from './filings.ts';

export const { routes } = agencyRoutes;

/** The time of these tests: 4 a.m. UTC, when it is still the day before in New York. */
export let now = new Date('2026-11-21T04:00:00.000Z');
export const today = '2026-11-20';

export let agency: Awaited<ReturnType<typeof agencyFunction>>;
beforeAll(async () => {
  agency = await agencyFunction(() => now);
});
beforeEach(() => {
  now = new Date('2026-11-21T04:00:00.000Z');
});

/** A caller of this organization. */
export const identityOf = (organizationId: string): Identity => callerOf(organizationId, 'downstreamEntity');

/** Sends an organization’s request through the group’s pipeline. */
export async function ask(
  organizationId: string,
  route: Parameters<typeof send>[1],
  options: EventOptions = {},
) {
  const answer = await send(agency.pipeline, route, { identity: identityOf(organizationId), ...options });
  return { ...answer, items: (answer.data['items'] ?? []) as Record<string, unknown>[] };
}

/** The routes that return a list. */
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

/** A filing of the agency, which waits for the agency or does not. */
export const filingFor = (owner: string, downstreamEntityId: string, waits: boolean) =>
  filingOf(newId(), {
    downstreamEntityId,
    recordOwner: owner,
    checklist: [
      category('signatures', [
        checklistItem('affidavit', {
          escalation: escalation({ status: waits ? 'waiting customer input' : 'resolved' }),
        }),
      ]),
    ],
  });

/** Moves the clock forward until the end of the test. */
export function advanceClock(ms: number): void {
  now = new Date(now.getTime() + ms);
}
