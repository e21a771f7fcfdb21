import * as fc from 'fast-check';
import { routeGroups } from '../../infra/function-uses.ts';
import { downstreamEntityKeys } from '../../shared/domain/downstream-entities/stored.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import {
  ask,
  entity,
  filing,
  given,
  id,
  idsOf,
  move,
  newOrganization,
  place,
  routes,
  tables,
  upload,
} from '../support/moving-agencies.ts';
import { createModel } from '../support/moving-agencies-model.ts';
import { steps } from '../support/moving-agencies-steps.ts';
import { dynamo } from '../support/tables.ts';

const organizations = [0, 1, 2];

it('nobody reads or writes what is not theirs at that moment, however agencies move', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { take, check, checkContacts } = await createModel();
      for (const [index, step] of taken.entries()) {
        await take(step);
        await check(index % organizations.length);
      }
      for (const organization of organizations) await check(organization);
      await checkContacts();
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

/** Routes of the agencies' side by whose their records are; the others are in the property above and the table below. */
const ofTheOrganization = [
  // Its own records of an NPN or of a person, which name no agency or belong to whoever recorded them.
  'listAgencyAppointments',
  'listAgencyLicenses',
  'listAgencyLicenseOverview',
  'listAgencyProducers',
];

const readsOfAgencies = [
  'listAgencyActionsRequired',
  'listAgencyComplianceConfigs',
  'listAgencyCorporateRegistrations',
  'listAgencyEntities',
  'getAgencyEntity',
  'listAgencyLicenseRequests',
  'getAgencyLicenseRequest',
  'listAgencyMarkets',
  'listAgencyContacts',
  'getAgencyContact',
  'listAgencyFileDocuments',
  'getAgencyFileDocument',
  'getAgencyFileDocumentDownloadUrl',
  'listAgencyFilings',
  'getAgencyFiling',
];

/** Reads of one market, which `sellers.test.ts` tries before and after its agency moves. */
const readsOfMarkets = ['listAgencySellers'];

/** What a write needs, made before each attempt, and how its success shows. */
interface Prepared {
  readonly write: (organizationId: string) => Promise<{ readonly status: number | string }>;
  /** What the agency's next organization sees of it, which a refused write must not change. */
  readonly seen: (organizationId: string) => Promise<unknown>;
}

type Prepare = (agency: string, organizationId: string) => Promise<Prepared>;

const ofFiling =
  (write: (filingId: string, organizationId: string, fileId: string) => ReturnType<typeof ask>): Prepare =>
  async (agency, organizationId) => {
    const filingId = id();
    await given(await newOrganization('upstreamEntity'), filing(filingId, agency));
    const fileId = String(await upload(organizationId, 'Surplus Lines'));
    return {
      write: (caller) => write(filingId, caller, fileId),
      seen: async (caller) => (await ask(routes.getAgencyFiling, caller, { params: { filingId } })).data,
    };
  };

const licenseRequest = (downstreamEntityId: string) => ({
  body: { downstreamEntityId, type: 'new', stateCode: 'OK' },
});

/** A write of a contact of the agency. */
const ofContact =
  (write: (params: { contactId: string }, caller: string) => ReturnType<typeof ask>): Prepare =>
  async (agency, organizationId) => {
    const person = { firstName: 'Maria', lastName: 'Delgado', email: `${id()}@agency.example` };
    const body = { ...person, downstreamEntityId: agency };
    const { data } = await ask(routes.createAgencyContact, organizationId, { body });
    const params = { contactId: String(data['contactId']) };
    return {
      write: (caller) => write(params, caller),
      seen: async (caller) => (await ask(routes.getAgencyContact, caller, { params })).data,
    };
  };

const writes: Readonly<Record<string, Prepare>> = {
  createAgencyFilingEscalationMessage: ofFiling((filingId, caller) =>
    ask(routes.createAgencyFilingEscalationMessage, caller, {
      params: { filingId },
      body: { ...place, body: 'Here it is.' },
    }),
  ),
  attachAgencyFilingFiles: ofFiling((filingId, caller, fileId) =>
    ask(routes.attachAgencyFilingFiles, caller, {
      params: { filingId },
      body: { ...place, fileDocumentIds: [fileId] },
    }),
  ),
  replaceAgencyFilingPolicyDocument: ofFiling((filingId, caller, fileDocumentId) =>
    ask(routes.replaceAgencyFilingPolicyDocument, caller, {
      params: { filingId },
      body: { fileDocumentId },
    }),
  ),
  createAgencyFileDocument: async (agency, organizationId) => {
    const market = id();
    const record = { type: 'market', _id: market, downstreamEntityId: agency, upstreamEntityName: 'Beacon' };
    await given(organizationId, record);
    return {
      write: async (caller) => {
        const uploaded = await upload(caller, 'Other Document', market);
        return { status: typeof uploaded === 'string' ? 201 : uploaded };
      },
      seen: (caller) => idsOf(routes.listAgencyFileDocuments, caller, '_id'),
    };
  },
  createAgencyContact: async (agency) => ({
    write: (caller) =>
      ask(routes.createAgencyContact, caller, {
        body: {
          firstName: 'Maria',
          lastName: 'Delgado',
          email: 'maria@agency.example',
          downstreamEntityId: agency,
        },
      }),
    seen: (caller) => idsOf(routes.listAgencyContacts, caller, 'contactId'),
  }),
  updateAgencyContact: ofContact((params, caller) =>
    ask(routes.updateAgencyContact, caller, { params, body: { lastName: 'Vega' } }),
  ),
  deleteAgencyContact: ofContact((params, caller) => ask(routes.deleteAgencyContact, caller, { params })),
  createAgencyLicenseRequest: async (agency) => ({
    write: (caller) => ask(routes.createAgencyLicenseRequest, caller, licenseRequest(agency)),
    seen: (caller) => idsOf(routes.listAgencyLicenseRequests, caller, '_id'),
  }),
  cancelAgencyLicenseRequest: async (agency, organizationId) => {
    const { data } = await ask(routes.createAgencyLicenseRequest, organizationId, licenseRequest(agency));
    const params = { licenseRequestId: String(data['_id']) };
    return {
      write: (caller) => ask(routes.cancelAgencyLicenseRequest, caller, { params }),
      seen: async (caller) => (await ask(routes.getAgencyLicenseRequest, caller, { params })).data,
    };
  },
};

/** Does some work, and something else before one of its database calls; answers whether it came to that. */
async function interrupted<Result>(
  before: number,
  work: () => Promise<Result>,
  interrupt: () => Promise<void>,
): Promise<{ readonly result: Result; readonly isInterrupted: boolean }> {
  let calls = 0;
  let interruption: Promise<void> | undefined;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls === before) {
        interruption = interrupt();
        await interruption;
      }
      return next(args);
    },
    { step: 'initialize', name: 'interrupted' },
  );
  try {
    const result = await work();
    // A call beside the interrupted one may have ended the work.
    await interruption;
    return { result, isInterrupted: interruption !== undefined };
  } finally {
    dynamo.middlewareStack.remove('interrupted');
  }
}

describe('a write is refused, and changes nothing, when the agency moves before any of its database calls', () => {
  it.each(Object.keys(writes))('%s', async (name) => {
    const npn = { npn: '17654321', isNpnRequired: true };
    let succeeded = 0;
    for (let call = 1; succeeded === 0; call += 1) {
      const [from, to] = [
        await newOrganization('downstreamEntity'),
        await newOrganization('downstreamEntity'),
      ];
      const agency = id();
      await given(undefined, entity(agency, from, npn));
      const prepared = await writes[name]?.(agency, from);
      if (prepared === undefined) throw new Error(`${name} is not prepared.`);
      let seen: unknown;
      const { result, isInterrupted } = await interrupted(
        call,
        () => prepared.write(from),
        async () => {
          await move(agency, to, npn);
          seen = await prepared.seen(to);
        },
      );
      if (isInterrupted) {
        expect(result.status).toBe(404);
        expect(await prepared.seen(to)).toEqual(seen);
      } else {
        expect([200, 201]).toContain(result.status);
        succeeded = call;
      }
    }
    // Rate counter, reads, and the transaction were each preceded by a move.
    expect(succeeded).toBeGreaterThan(3);
  });
});

it('every route of the agencies’ side is here', () => {
  const rows = routeGroups.flatMap(({ routes: table }) => Object.entries<Route>(table));
  const downstream = rows.filter(([, { access }]) => access !== 'public' && access.kind === 'downstream');
  expect(
    [...ofTheOrganization, ...readsOfAgencies, ...readsOfMarkets, ...Object.keys(writes)].sort(),
  ).toEqual(downstream.map(([name]) => name).sort());
});

it('an organization that 4,000 agencies have left loses no more', async () => {
  const [from, to] = [await newOrganization('downstreamEntity'), await newOrganization('downstreamEntity')];
  const agency = id();
  await move(agency, from);
  const left = new Set(Array.from({ length: 4_000 }, id));
  const table = tableOf(downstreamEntitiesTable, dynamo, tables.downstreamEntities);
  await table.put({ ...downstreamEntityKeys.moves(from), left });
  await expect(move(agency, to)).rejects.toThrow('At most 4000 agencies can leave an organization');
});
