import { type AnyEvent, type WebhookType, webhookTypes } from '#domain/events/payloads.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { endWindows } from '../support/compliance-windows.ts';
import { product as productLine } from '../support/import-lines.ts';
import {
  admin,
  importOutcome,
  importRecords,
  newOrganizations,
  type Organization,
} from '../support/local-api.ts';
import { ask, type Data, listen, receiver, upload } from '../support/webhook-events.ts';

const associations = '/v2/upstream/downstream-entity-associations';

const importWithEvents = (organizationId: string, ...records: object[]) =>
  importOutcome(organizationId, records, { emitEvents: true });

const newNpn = (): string => String(10_000_000 + Math.floor(Math.random() * 80_000_000));

const draft = {
  downstreamEntityName: 'Hill Country Insurance',
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana.reyes@hill-country.example',
  category: 'agency',
  isNpnRequired: true,
};

describe('an event is emitted for', () => {
  const today = newYorkDate(new Date());
  const [agencyNpn, agentNpn] = [newNpn(), newNpn()];
  const productId = newObjectId(new Date());
  let owner: Organization;
  let stranger: Organization;
  let all: { readonly path: string };
  let some: { readonly path: string };
  let elsewhere: { readonly path: string };
  let associationId: string;
  let agentId: string;

  beforeAll(async () => {
    [owner, stranger] = await newOrganizations('upstreamEntity', 'upstreamEntity');
    all = await listen(owner);
    some = await listen(owner, ['AGENT_CREATED', 'DOCUMENT_UPLOADED']);
    elsewhere = await listen(stranger);
  });

  const heard = async (type: WebhookType, matches: (event: AnyEvent) => boolean = () => true) => {
    const [first] = await receiver.until(all.path, (event) => event.webhookType === type && matches(event));
    return first?.event;
  };

  it('an agency that is added and one that changes', async () => {
    const { _id } = await ask(owner, 'POST', `${associations}/add`, {
      ...draft,
      downstreamEntityNpn: agencyNpn,
    });
    associationId = String(_id);
    expect(await heard('DOWNSTREAM_ENTITY_CREATED')).toMatchObject({
      upstreamEntityId: owner.organizationId,
      sequence: 1,
      payload: { downstreamEntityAssociationId: associationId, downstreamEntity: { npn: agencyNpn } },
    });
    await ask(owner, 'PATCH', `${associations}/${associationId}`, { externalId: 'E-1' });
    expect(await heard('DOWNSTREAM_ENTITY_UPDATED')).toMatchObject({
      sequence: 1,
      payload: { externalId: 'E-1' },
    });
  });

  it('an uploaded file', async () => {
    const fileDocumentId = await upload(owner, 'bond.pdf');
    expect(await heard('DOCUMENT_UPLOADED')).toMatchObject({
      payload: { fileDocumentId, category: 'Surplus Lines', version: 1, fileName: 'bond.pdf' },
    });
  });

  it('a contract that both parties signed', async () => {
    const execute = (party: string) =>
      admin('execute-contract', { downstreamEntityAssociationId: associationId, party });
    await execute('upstream');
    const { _id } = await execute('downstream');
    await execute('downstream');
    const payload = { downstreamEntityAssociationId: associationId, contractContainerInstanceId: _id };
    expect(await heard('CONTRACT_SIGNED')).toMatchObject({ sequence: 1, payload });
    expect(await heard('PRODUCER_AGREEMENT_EXECUTED')).toMatchObject({ sequence: 1, payload });
  });

  it('producers that an operator imports with events', async () => {
    agentId = newObjectId(new Date());
    const agent = { type: 'agent', _id: agentId, npn: agentNpn, firstName: 'Maria', lastName: 'Delgado' };
    await importWithEvents(owner.organizationId, agent);
    expect(await heard('AGENT_CREATED')).toMatchObject({ payload: { agentId, npn: agentNpn } });
    await importWithEvents(owner.organizationId, agent);
    await importWithEvents(owner.organizationId, { ...agent, lastName: 'Delgado-Reyes' });
    expect(await heard('AGENT_UPDATED')).toMatchObject({
      sequence: 1,
      payload: { lastName: 'Delgado-Reyes' },
    });
  });

  it('licenses that expire or are about to, once however often the sweep runs', async () => {
    const licenseClassName = 'Insurance Producer';
    const license = { stateCode: 'TX', status: 'active', residencyStatus: 'resident', licenseClassName };
    const due = [
      { ...license, licenseNumber: '1', nextRenewalDate: addDays(today, 60) },
      { ...license, licenseNumber: '2', nextRenewalDate: addDays(today, -1) },
    ];
    await admin('set-registry-record', {
      npn: agencyNpn,
      record: {
        entity: { kind: 'firm', name: 'Hill Country Insurance' },
        licenses: due,
        appointments: [],
        regulatoryActions: [],
      },
    });
    const { registryDataSubscriptionId } = await ask(owner, 'POST', `${associations}/${associationId}/sync`);
    expect(await heard('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED')).toMatchObject({
      sequence: 1,
      payload: { registryDataSubscriptionId, npn: agencyNpn },
    });
    await importRecords(
      owner.organizationId,
      ...due.map((one) => ({
        type: 'license',
        npn: agentNpn,
        ...one,
      })),
    );
    await admin('run-license-sweep', {});
    await admin('run-license-sweep', { asOf: today });
    for (const [type, days] of [
      ['EXPIRING', 60],
      ['EXPIRED', -1],
    ] as const) {
      const expected = { daysUntilExpiration: days, nextRenewalDate: addDays(today, days), status: 'active' };
      expect(await heard(`AGENT_LICENSE_${type}`)).toMatchObject({
        payload: { agentId, npn: agentNpn, ...expected },
      });
      expect(await heard(`DOWNSTREAM_ENTITY_LICENSE_${type}`)).toMatchObject({
        payload: { downstreamEntityAssociationId: associationId, npn: agencyNpn, ...expected },
      });
    }
  });

  it('a regulatory action that a state reports and amends', async () => {
    const action = { stateCode: 'TX', actionId: '4471', disposition: 'Warning', fileRef: 'TX-1' };
    const report = (changes: object) =>
      Promise.all(
        [agencyNpn, agentNpn].map((npn) =>
          admin('set-registry-record', { npn, record: { regulatoryActions: [{ ...action, ...changes }] } }),
        ),
      );
    await report({});
    await admin('run-registry-reconciliation', {});
    await report({ disposition: 'Penalty', fileRef: null });
    const visits = await admin('request-visits', { npns: [agencyNpn, agentNpn, '9999999'] });
    expect(visits).toEqual({ requested: 2, unknown: 1 });
    await admin('run-registry-reconciliation', { asOf: new Date().toISOString() });
    const whose = {
      AGENT: { agentId },
      DOWNSTREAM_ENTITY: { downstreamEntityAssociationId: associationId },
    } as const;
    for (const model of ['AGENT', 'DOWNSTREAM_ENTITY'] as const) {
      expect(await heard(`${model}_REGULATORY_ACTION_ADDED`)).toMatchObject({
        payload: { ...whose[model], actionId: '4471', disposition: 'Warning' },
      });
      expect(await heard(`${model}_REGULATORY_ACTION_UPDATED`)).toMatchObject({
        sequence: 1,
        payload: {
          ...whose[model],
          disposition: 'Penalty',
          changedFields: ['disposition', 'fileRef'],
          previousValues: { disposition: 'Warning', fileRef: 'TX-1' },
        },
      });
    }
  });

  it('changed compliance of producers and agencies, when the window is over', async () => {
    const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }];
    await importRecords(owner.organizationId, productLine(productId, { productName: 'General Liability' }));
    const config = `/v2/upstream/compliance-configs/${productId}`;
    const first = new Date();
    await ask(owner, 'PUT', config, { productName: 'General Liability', states });
    await endWindows(owner.organizationId, [agencyNpn, agentNpn], first);
    const product = { productId, productName: 'General Liability' };
    const licensed = {
      stateCode: 'TX',
      complianceStatus: 'COMPLIANT',
      licenseStatus: { statusName: 'Licensed' },
    };
    expect(await heard('AGENT_COMPLIANCE_STATUS_CHANGE')).toMatchObject({
      sequence: 1,
      payload: [{ agentId, npn: agentNpn, products: [{ ...product, states: [licensed] }] }],
    });
    expect(await heard('DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE')).toMatchObject({
      sequence: 1,
      payload: [
        {
          downstreamEntityAssociationId: associationId,
          legalName: 'Hill Country Insurance',
          branchName: null,
          products: [{ ...product, states: [licensed] }],
        },
      ],
    });
    const second = new Date();
    await ask(owner, 'PUT', config, { productName: 'General Liability', states: [] });
    await endWindows(owner.organizationId, [agencyNpn, agentNpn], second);
    const removed = { stateCode: 'TX', licenseStatus: { statusName: 'STATE_REMOVED' } };
    expect(await heard('AGENT_COMPLIANCE_STATUS_CHANGE', ({ sequence }) => sequence === 2)).toMatchObject({
      payload: [{ products: [{ ...product, states: [removed] }] }],
    });
  });

  it('every type, each signed, valid, and numbered without gaps', async () => {
    const received = new Map(receiver.deliveredTo(all.path).map(({ event }) => [event.eventId, event]));
    const events = Array.from(received.values());
    expect(new Set(events.map(({ webhookType }) => webhookType))).toEqual(new Set(webhookTypes));
    const numbers = new Map<string, number[]>();
    for (const { webhookType, sequence, payload } of events) {
      const about = (Array.isArray(payload) ? payload[0] : payload) as Data;
      // The entity of an event, for types that have several entities here.
      const entity = about['downstreamEntityAssociationId'] ?? about['agentId'] ?? '';
      const key = `${webhookType} ${about['licenseNumber'] ?? ''} ${entity}`;
      numbers.set(key, [...(numbers.get(key) ?? []), sequence]);
    }
    for (const given of numbers.values()) {
      expect(given.sort((one, other) => one - other)).toEqual(given.map((_, index) => index + 1));
    }
  });

  it('the subscribed types of a webhook only, and for no other organization', async () => {
    const received = await receiver.until(some.path, () => true, { count: 2 });
    expect(new Set(received.map(({ event }) => event.webhookType))).toEqual(
      new Set(['AGENT_CREATED', 'DOCUMENT_UPLOADED']),
    );
    expect(receiver.got.filter(({ path }) => path === elsewhere.path)).toEqual([]);
  });
});
