import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { FilingFilters } from '../../functions/surplus-lines-filings/lists.ts';
import { downstreamEntityKeys } from '../../shared/domain/downstream-entities/stored.ts';
import type { StoredFiling } from '../../shared/domain/filings/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { entityOf } from '../support/agency-records.ts';
import { filingOf, newId } from '../support/filings.ts';
import { agency, ask, carrier, given, routes, tables, waiting } from '../support/filings-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('lists of filings', () => {
  const statuses = ['filed', 'on hold'] as const;
  const states = ['TX', 'CA'] as const;
  const upstream = newId();
  const agencyId = newId();
  const all: StoredFiling[] = [];

  beforeAll(async () => {
    for (const status of statuses) {
      for (const stateCode of states) {
        for (const n of [1, 2]) {
          const base = n === 1 ? waiting(upstream) : filingOf(upstream);
          all.push({
            ...base,
            status,
            stateCode,
            policyNumber: `P-${n}`,
            externalReference: n === 1 ? `R-${stateCode}` : null,
            recordOwner: agencyId,
          });
        }
      }
    }
    all.sort((one, other) => (one._id < other._id ? -1 : 1));
    for (const filing of all) await given(filing);
    await given(filingOf(newId(), { recordOwner: newId() }));
  });

  const filters: FilingFilters[] = [undefined, ...statuses].flatMap((status) =>
    [undefined, ...states].flatMap((stateCode) =>
      [undefined, 'P-1', 'P'].flatMap((policyNumber) =>
        [undefined, 'R-TX'].flatMap((externalReference) =>
          [undefined, true, false].map((actionRequired) => ({
            status,
            stateCode,
            policyNumber,
            externalReference,
            actionRequired,
          })),
        ),
      ),
    ),
  );

  const matching = (filter: FilingFilters) =>
    all
      .filter(
        (one) =>
          (filter.status ?? one.status) === one.status &&
          (filter.stateCode ?? one.stateCode) === one.stateCode &&
          (filter.policyNumber ?? one.policyNumber) === one.policyNumber &&
          (filter.externalReference ?? one.externalReference) === one.externalReference &&
          (filter.actionRequired ?? one.policyNumber === 'P-1') === (one.policyNumber === 'P-1'),
      )
      .map(({ _id }) => _id);

  const queryOf = (filter: FilingFilters): Record<string, string> =>
    Object.fromEntries(
      Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    );

  it('combine filters for carriers and agencies', async () => {
    for (const filter of filters) {
      const query = queryOf(filter);
      // Two of them show what three or four do.
      if ([3, 4].includes(Object.keys(query).length)) continue;
      const [listed, page] = await Promise.all([
        ask(routes.listFilings, carrier(upstream), { query }),
        ask(routes.listAgencyFilings, agency(agencyId), { query }),
      ]);
      const expected = matching(filter);
      expect(listed.data).toMatchObject(expected.map((_id) => ({ _id })));
      expect(page.data).toMatchObject({
        items: expected.map((_id) => ({ _id })),
        total: expected.length,
        page: 1,
        limit: 50,
        totalPages: Math.ceil(expected.length / 50),
      });
    }
  });

  it('are paged for agencies, with every filing on one page', async () => {
    const pages = [];
    for (const page of ['1', '2', '3', '4']) {
      const { data } = await ask(routes.listAgencyFilings, agency(agencyId), {
        query: { page, limit: '3' },
      });
      expect(data).toMatchObject({ total: 8, limit: 3, totalPages: 3 });
      pages.push(data as unknown as { readonly items: readonly { readonly _id: string }[] });
    }
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 2, 0]);
    expect(pages.flatMap(({ items }) => items.map(({ _id }) => _id))).toEqual(all.map(({ _id }) => _id));
  });

  it('take one database call, or two in sequence with filters', async () => {
    const unfiltered = await databaseCalls(() => ask(routes.listFilings, carrier(upstream)));
    expect(unfiltered).toMatchObject({ calls: ['QueryCommand'], inSequence: 1 });
    const query = { status: 'filed', stateCode: 'TX', actionRequired: 'true' };
    for (const [route, caller] of [
      [routes.listFilings, carrier(upstream)],
      [routes.listAgencyFilings, agency(agencyId)],
    ] as const) {
      const filtered = await databaseCalls(() => ask(route, caller, { query }));
      const moves = caller.category === 'downstreamEntity' ? ['GetItemCommand'] : [];
      expect(filtered).toMatchObject({
        calls: [...moves, 'QueryCommand', 'QueryCommand', 'QueryCommand', 'BatchGetItemCommand'],
        inSequence: 2,
      });
    }
  });

  it('reject an actionRequired that is neither true nor false', async () => {
    const { status, json } = await ask(routes.listFilings, carrier(upstream), {
      query: { actionRequired: 'yes' },
    });
    expect(status).toBe(400);
    expect(json.details?.issues).toEqual([
      { path: 'actionRequired', message: expect.any(String), accepted: ['true', 'false'] },
    ]);
  });
});

describe('an agency’s filings', () => {
  it('can be narrowed to one of its entities, with other filters', async () => {
    const organizationId = newId();
    const [entity, other, foreign] = [entityOf(organizationId), entityOf(organizationId), entityOf(newId())];
    for (const one of [entity, other, foreign]) {
      const item = { ...downstreamEntityKeys.entity(one._id), ...one };
      await dynamo.send(new PutItemCommand({ TableName: tables.downstreamEntities, Item: toItem(item) }));
    }
    const filed = await Promise.all(
      (['TX', 'OK', 'TX'] as const).map((stateCode, index) =>
        given(
          filingOf(newId(), {
            stateCode,
            downstreamEntityId: index === 2 ? other._id : entity._id,
            recordOwner: organizationId,
          }),
        ),
      ),
    );
    const ids = async (query: Record<string, string>) => {
      const { status, data } = await ask(routes.listAgencyFilings, agency(organizationId), { query });
      expect(status).toBe(200);
      return z
        .parse(z.object({ items: z.array(z.object({ _id: z.string() })) }), data)
        .items.map(({ _id }) => _id);
    };
    const [inTexas, inOklahoma] = filed.map(({ _id }) => _id);
    expect(await ids({ downstreamEntityId: entity._id })).toEqual([inTexas, inOklahoma].sort());
    expect(await ids({ downstreamEntityId: entity._id, stateCode: 'OK' })).toEqual([inOklahoma]);
    for (const downstreamEntityId of [foreign._id, newId()]) {
      const { status, json } = await ask(routes.listAgencyFilings, agency(organizationId), {
        query: { downstreamEntityId },
      });
      expect(status).toBe(404);
      expect(json.errorType).toBe('not_found');
    }
  });
});
