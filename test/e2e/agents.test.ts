import { newId } from '../support/filings.ts';
import {
  agent,
  association as associationLine,
  associationWith,
  contact,
  license,
  namedAgency,
} from '../support/import-lines.ts';
import { call, importRecords, newOrganization } from '../support/local-api.ts';

it.each(['/v2/upstream/agents', '/v1/agents'])(
  '%s shows an agent with the registry subscription of its NPN',
  async (agents) => {
    const carrier = await newOrganization('upstreamEntity');
    const [maria, product, association] = [newId(), newId(), newId()];
    // Before the agent, whom the registry would be asked about otherwise.
    await importRecords(carrier.organizationId, license({ npn: '8123987' }));
    await importRecords(
      carrier.organizationId,
      associationLine(association),
      agent({
        _id: maria,
        npn: '8123987',
        email: 'maria.delgado@example.com',
        labeledEmails: [{ label: 'renewals', email: 'Renewals@Example.com' }],
        downstreamEntityAssociationIds: [association],
        authority: [
          { upstreamEntityProductId: product, requestedStates: ['TX', 'OK'], approvedStates: ['TX'] },
        ],
        externalId: 'AGT-118',
      }),
    );
    const get = async (path: string) =>
      (await call('GET', `${agents}${path}`, { headers: carrier.bearer })).json['data'];
    const shown = await get(`/${maria}`);
    expect(shown).toEqual({
      agent: {
        _id: maria,
        npn: '8123987',
        firstName: 'Maria',
        middleName: null,
        lastName: 'Delgado',
        downstreamEntityAgentAssociationIds: [association],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      creationPath: 'import',
      registryDataSubscription: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        dataOwnerId: carrier.organizationId,
        dataOwnerModel: 'upstreamEntity',
        entityModel: 'agent',
        entityInfo: { status: 'not started', jobId: null, message: null, rawEntityInfoId: null },
        npn: '8123987',
        lastSynchronizationDate: null,
        pdbAlertsSubscriptionStatus: null,
        pdbAlertsPausedAt: null,
      },
      isUploadedByUpstreamEntity: true,
      isDeleted: false,
      isArchived: false,
      authority: [
        { upstreamEntityProductId: product, requestedStates: ['TX', 'OK'], approvedStates: ['TX'] },
      ],
      email: 'maria.delgado@example.com',
      isDeliverable: false,
      externalId: 'AGT-118',
    });
    expect(await get('?licenseNumber=100&stateCode=TX')).toEqual([shown]);
  },
);

it('what an import deletes is in no list, and its names are free', async () => {
  const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
  const entity = newId();
  const own = [
    agent({ _id: newId(), npn: '8123986', email: 'maria.delgado@example.com' }),
    license({ npn: '8123986', nextRenewalDate: '2099-03-31' }),
  ];
  const everybodys = [
    { type: 'carrier', _id: newId(), name: 'Former Insurance', naicCode: 'E2E-1' },
    contact(`${entity}@example.com`, [{ downstreamEntityId: entity }], { _id: newId() }),
  ];
  await importRecords(
    organizationId,
    namedAgency(entity, 'Agency'),
    associationWith(newId(), entity),
    ...own,
  );
  await importRecords(undefined, ...everybodys);
  const deleted = (records: readonly object[]) => records.map((record) => ({ ...record, isDeleted: true }));
  await importRecords(organizationId, ...deleted(own));
  await importRecords(undefined, ...deleted(everybodys));
  for (const list of ['agents', 'licenses', 'contacts']) {
    expect((await call('GET', `/v2/upstream/${list}`, { headers })).json['data']).toEqual([]);
  }
  await importRecords(undefined, ...everybodys.map((record) => ({ ...record, _id: newId() })));
});
