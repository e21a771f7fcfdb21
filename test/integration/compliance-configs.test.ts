import { randomUUID } from 'node:crypto';
import { createRecordConfig } from '#domain/compliance/record-config.ts';
import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { reportOf } from '#domain/registry/read-rows.ts';
import { complianceTable, registryRecordsTable } from '#domain/tables.ts';
import { tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import { addDays, newYorkDate, yearAfter } from '#platform/dates/dates.ts';
import { commandsOn } from '../support/admin.ts';
import { ask, clock, given, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { routes } from '../support/compliance-tests.ts';
import { eventsFor } from '../support/events.ts';
import { withFaults } from '../support/faults.ts';
import { holdersIn } from '../support/holders.ts';
import { license } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

describe('compliance configs', () => {
  const productId = '65f0c1d2e3a4b5c6d7e8f905';

  const passSecond = () => {
    clock.time = new Date(clock.time.getTime() + 1_000);
  };

  /** Imports configs, a second before what follows. */
  const importConfigs = (owner: string, configs: readonly object[]): Promise<void> =>
    given(owner, ...configs.map((config) => ({ type: 'compliance-config', ...config }))).finally(passSecond);

  describe('compliance configs', () => {
    const tx = { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' };
    const config = { productId, productName: 'GL', states: [tx] };
    const put = (owner: string, body: object, headers: Record<string, string> = {}, id = productId) =>
      ask(owner, routes.replaceComplianceConfig, { params: { productId: id }, body, headers }).finally(
        passSecond,
      );

    it('have the product of their code, else of their name, where an import names none', async () => {
      const owner = await newOwner();
      const { productId: _, ...unnamed } = { ...config, productName: 'Cyber' };
      const names = async () => {
        const { data } = await ask(owner, routes.listComplianceConfigs);
        return (data as (typeof config)[]).map((one) => [one.productId, one.productName]).sort();
      };
      await importConfigs(owner, [unnamed]);
      const [[derived] = []] = await names();
      await importConfigs(owner, [
        { ...unnamed, productName: 'CYBER', productCode: 'CY' },
        { ...unnamed, productName: 'Cyber II', productCode: 'cy' },
        { ...config, productCode: 'GL-1' },
        { ...unnamed, productName: 'General', productCode: 'gl-1' },
      ]);
      expect(await names()).toEqual(
        [
          [derived, 'Cyber II'],
          [productId, 'General'],
        ].sort(),
      );
      await importConfigs(owner, [{ ...config, productId: '65f0c1d2e3a4b5c6d7e8f906', productCode: 'GL-1' }]);
      const again = { type: 'compliance-config', ...unnamed, productCode: 'GL-1' };
      expect(await importLines(owner, [again])).toMatchObject({
        rejected: [{ issues: [{ path: 'productId' }] }],
      });
    });

    it('are listed, and replaced as a whole', async () => {
      const owner = await newOwner();
      const validFrom = newYorkDate(now());
      await importConfigs(owner, [
        config,
        { ...config, productId: '65f0c1d2e3a4b5c6d7e8f906', productName: 'PR' },
      ]);
      const replaced = {
        productName: 'General Liability',
        states: [{ stateCode: 'OK', linesOfAuthority: [], appointment: 'on binding' }],
      };
      expect(await put(owner, replaced)).toMatchObject({ status: 200, data: { productId, ...replaced } });
      const { data } = await ask(owner, routes.listComplianceConfigs);
      expect(data).toEqual([
        { productId, ...replaced, validFrom },
        { productId: '65f0c1d2e3a4b5c6d7e8f906', productName: 'PR', states: [tx], validFrom },
      ]);
    });

    it('ask for classes, further licenses, and more, in the states that they list and in others', async () => {
      const owner = await newOwner();
      const rule = {
        linesOfAuthority: ['16', { anyOf: ['11', '12'] }],
        licenseClasses: ['PRO', 'Insurance Producer'],
        furtherLicenses: [
          { licenseClasses: ['Surplus Lines'] },
          { licenseClasses: ['SL'], linesOfAuthority: ['9'] },
        ],
        licenseOf: 'agent',
        appointment: 'required',
        appointmentOf: 'either',
        appointmentBy: 'group',
        appointWithinDays: 15,
        homeState: 'ignored',
        carrierNaicCodes: ['19437'],
        agency: { linesOfAuthority: [], licenseClasses: ['BE'] },
      };
      const body = {
        productName: 'GL',
        states: [{ stateCode: 'TX', ...rule }],
        otherStates: rule,
        authority: 'required',
      };
      await importConfigs(owner, [config]);
      expect(await put(owner, body)).toMatchObject({ status: 200, data: { productId, ...body } });
      expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
        data: [{ productId, ...body }],
      });
      await importConfigs(owner, [{ productId, ...body, otherStates: {}, authority: 'ignored' }]);
      expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
        data: [{ otherStates: { linesOfAuthority: [], appointment: 'not required' }, authority: 'ignored' }],
      });
    });

    it.each([
      ['states[0].licenseClasses', { states: [{ ...tx, licenseClasses: [] }] }],
      ['states[0].furtherLicenses[0].licenseClasses', { states: [{ ...tx, furtherLicenses: [{}] }] }],
      ['states[0].agency.appointment', { states: [{ ...tx, agency: { appointment: 'required' } }] }],
      ['states[0].appointmentOf', { states: [{ ...tx, appointmentOf: 'neither' }] }],
      ['states[1].stateCode', { states: [tx, tx] }],
      ['otherStates.stateCode', { states: [], otherStates: tx }],
      ['authority', { states: [], authority: 'maybe' }],
    ])('refuse what they cannot ask for, and name it: %s', async (path, body) => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      expect(await put(owner, { productName: 'GL', ...body })).toMatchObject({
        status: 400,
        details: { issues: [{ path }] },
      });
    });

    it('keep a replacement when the file that created them is imported again', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      await put(owner, { productName: 'Replaced', states: [] });
      await importConfigs(owner, [config]);
      expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
        data: [{ productName: 'Replaced' }],
      });
    });

    it('have at most 100 KB, whether put or imported', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      const ofMany = (count: number) =>
        Array.from({ length: 100 }, (_, line) => ({
          anyOf: Array.from({ length: count }, (__, index) => `${line} ${index}`.padEnd(50, '0')),
        }));
      const body = (count: number) => ({
        productName: 'GL',
        states: [{ ...tx, linesOfAuthority: ofMany(count) }],
      });
      expect(await put(owner, body(20))).toMatchObject({
        status: 413,
        details: { expected: 'a body of at most 102400 bytes' },
      });
      await expect(importConfigs(owner, [{ ...body(20), productId }])).rejects.toThrow(
        'has more than 102400 bytes',
      );
      expect(await put(owner, body(18))).toMatchObject({ status: 200 });
    });

    it('of an unknown, deleted, or another carrier’s product are not found, and nothing is written', async () => {
      const [owner, stranger] = await Promise.all([newOwner(), newOwner()]);
      const body = { productName: 'GL', states: [tx] };
      await importConfigs(owner, [config]);
      expect(await put(stranger, body)).toMatchObject({ status: 404, errorType: 'not_found' });
      expect(await put(owner, body, {}, '65f0c1d2e3a4b5c6d7e8f9ff')).toMatchObject({ status: 404 });
      await importConfigs(owner, [{ ...config, isDeleted: true }]);
      expect(await put(owner, body)).toMatchObject({ status: 404 });
      for (const one of [owner, stranger]) {
        expect(await ask(one, routes.listComplianceConfigs)).toMatchObject({ data: [] });
      }
    });

    it('are replaced once per idempotency key, whose response is stored in the same transaction', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      const headers = { 'idempotency-key': randomUUID() };
      const body = { productName: 'First', states: [] };
      const { calls, inSequence } = await databaseCalls(() => put(owner, body, headers));
      expect(calls.filter((call) => call === 'TransactWriteItemsCommand')).toHaveLength(1);
      expect(inSequence).toBeLessThanOrEqual(4);
      await put(owner, { ...body, productName: 'Second' });
      const replayed = await put(owner, body, headers);
      expect(replayed.headers['idempotency-replayed']).toBe('true');
      expect(replayed).toMatchObject({ status: 200, data: { productName: 'First' } });
      expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
        data: [{ productName: 'Second' }],
      });
      expect(await put(owner, { ...body, productName: 'Third' }, headers)).toMatchObject({ status: 422 });
    });

    it('keep versions: what begins later is not in force yet, and what says the same is none', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [{ ...config, validFrom: '2020-01-01' }]);
      const today = newYorkDate(now());
      const validFrom = addDays(today, 30);
      const body = { productName: 'Later', states: [] };
      expect(await put(owner, { ...body, validFrom })).toMatchObject({
        status: 200,
        data: { ...body, validFrom },
      });
      const listed = async () => (await ask(owner, routes.listComplianceConfigs)).data;
      expect(await listed()).toEqual([{ ...config, validFrom: '2020-01-01' }]);
      expect(await eventsFor(tables.outbox, owner)).toEqual([]);
      expect(await put(owner, { productName: 'GL', states: [tx] })).toMatchObject({ status: 200 });
      expect(await listed()).toEqual([{ ...config, validFrom: '2020-01-01' }]);
      expect(await eventsFor(tables.outbox, owner)).toEqual([]);
    });

    it('have everybody checked at once where all versions are to come, since the first one stands in', async () => {
      const owner = await newOwner();
      const ahead = (days: number) => addDays(newYorkDate(now()), days);
      await importConfigs(owner, [{ ...config, validFrom: ahead(30) }]);
      await put(owner, { productName: 'Second', states: [], validFrom: ahead(40) });
      expect(await eventsFor(tables.outbox, owner)).toEqual([]);
      await put(owner, { productName: 'First', states: [], validFrom: ahead(20) });
      expect(await eventsFor(tables.outbox, owner)).toHaveLength(1);
    });

    it('begin in the past, or up to a year ahead', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      // Of a February 29, the day before.
      const last = yearAfter(newYorkDate(now())).replace('02-29', '02-28');
      const body = { productName: 'GL', states: [] };
      expect(await put(owner, { ...body, validFrom: '2019-02-28' })).toMatchObject({ status: 200 });
      expect(await put(owner, { ...body, validFrom: last })).toMatchObject({ status: 200 });
      for (const validFrom of [addDays(last, 1), '2026-02-30', 'tomorrow']) {
        expect(await put(owner, { ...body, validFrom })).toMatchObject({
          status: 400,
          details: { issues: [{ path: 'validFrom' }] },
        });
      }
    });

    it('hold one writer’s whole replacement after concurrent ones', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      const names = Array.from({ length: 8 }, (_, index) => `Writer ${index}`);
      const body = (productName: string) => ({
        productName,
        states: [{ ...tx, linesOfAuthority: [productName] }],
      });
      const answers = await Promise.all(names.map((name) => put(owner, body(name))));
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const { data } = await ask(owner, routes.listComplianceConfigs);
      const [found] = data as { productName: string }[];
      expect(data).toMatchObject([{ productId, ...body(found?.productName ?? '') }]);
      expect(names).toContain(found?.productName);
    });
  });

  describe('of two changes, one after the other, the second counts, although the first has the later time', () => {
    const owner = '65f0c1d2e3a4b5c6d7e8f9aa';

    async function recorded() {
      const table = tableOf(complianceTable, dynamo, await createTable(complianceTable));
      const record = createRecordConfig(table);
      const areChanges: boolean[] = [];
      return {
        areChanges,
        /** Records that a line of authority is required, or that nothing is, as a request of that time. */
        change: (line: string | undefined, time: string) => {
          const states = [
            { stateCode: 'TX', linesOfAuthority: line === undefined ? [] : [line], appointment: 'required' },
          ] as const;
          const config = { productId, productName: 'GL', states: [...states] };
          const itemsFor = (_: unknown, isChangedNow: boolean) => {
            areChanges.push(isChangedNow);
            return [];
          };
          const isDeleted = line === undefined;
          return record(
            owner,
            { config, isDeleted, isSilent: false, mustExist: false },
            new Date(time),
            itemsFor,
          );
        },
        inForceLater: async () => {
          const [found] = await createComplianceConfigs(table).all(owner, new Date('2026-07-03T12:00:00Z'));
          return found?.states[0]?.linesOfAuthority;
        },
      };
    }

    it.each([
      ['by half a second', '2026-07-01T12:00:00.500Z', '2026-07-01T12:00:00.200Z'],
      ['of the next day in New York', '2026-07-02T04:00:00.200Z', '2026-07-02T03:59:59.900Z'],
    ])('%s', async (_, first, second) => {
      const { change, inForceLater, areChanges } = await recorded();
      await change('1', '2026-07-01T10:00:00.000Z');
      await change('2', first);
      // What was required before is a change again.
      await change('1', second);
      expect(await inForceLater()).toEqual(['1']);
      expect(areChanges).toEqual([true, true, true]);
    });
  });

  describe('COMPLIANCE_INPUTS_CHANGED', () => {
    const config = { productId, productName: 'GL', states: [] };
    const put = (owner: string, body: object, headers: Record<string, string> = {}) =>
      ask(owner, routes.replaceComplianceConfig, { params: { productId }, body, headers });

    it('is emitted for each of two replacements of one millisecond, of which the second counts', async () => {
      const owner = await newOwner();
      await importConfigs(owner, [config]);
      for (const productName of ['First', 'Second'])
        expect(await put(owner, { productName, states: [] })).toMatchObject({ status: 200 });
      expect(await eventsFor(tables.outbox, owner)).toHaveLength(2);
      passSecond();
      expect(await ask(owner, routes.listComplianceConfigs)).toMatchObject({
        data: [{ productName: 'Second' }],
      });
    });

    it('is not emitted for a rejected replacement, and once for one that fails and is retried', async () => {
      const owner = await newOwner();
      expect((await put(owner, { productName: 'GL', states: [] })).status).toBe(404);
      expect(await eventsFor(tables.outbox, owner)).toEqual([]);
      await importConfigs(owner, [config]);
      for (const fault of ['before', 'after'] as const) {
        const headers = { 'idempotency-key': randomUUID() };
        const send = () => put(owner, { productName: fault, states: [] }, headers);
        const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
        expect((await withFaults(faultOf, send)).status).toBe(500);
        expect((await send()).status).toBe(200);
      }
      expect(await eventsFor(tables.outbox, owner)).toHaveLength(2);
    });
  });
});

// What operators learn of a compliance config that nobody can meet, and of rows and words that are not understood.
describe('check config', () => {
  const productId = '65f0c1d2e3a4b5c6d7e8f905';
  let registryRecords: string;
  let newOwner: ReturnType<typeof organizationsIn>;
  let command: ReturnType<typeof commandsOn>;
  let imported: (organizationId: string, lines: readonly object[]) => Promise<void>;

  beforeAll(async () => {
    const [compliance, organizations, records] = await Promise.all([
      createTable(complianceTable),
      createTable(organizationsTable),
      createTable(registryRecordsTable),
    ]);
    registryRecords = records;
    newOwner = organizationsIn(organizations);
    command = commandsOn({ compliance, organizations, registryRecords });
    const importRecords = importInto({ compliance, organizations, registryRecords });
    imported = async (organizationId, lines) => {
      const chunk = { organizationId, firstLine: 1, lines: lines.map((one) => JSON.stringify(one)) };
      expect(await importRecords(chunk)).toMatchObject({ rejected: [] });
    };
  });

  const config = (fields: object) => ({ type: 'compliance-config', productId, productName: 'GL', ...fields });

  it('names the codes and classes that no record of the state carries', async () => {
    const owner = await newOwner();
    await imported(owner, [
      config({
        carrierNaicCodes: ['019437', '10001'],
        states: [
          {
            stateCode: 'TX',
            appointment: 'required',
            linesOfAuthority: ['16', { anyOf: ['17', 'P'] }, '12'],
            licenseClasses: ['pro', 'Insurance Producr'],
            furtherLicenses: [{ licenseClasses: ['Surplus Lines'], linesOfAuthority: ['SL'] }],
            agency: { linesOfAuthority: ['BE'], licenseClasses: ['insurance producer'] },
          },
          { stateCode: 'OK', linesOfAuthority: ['16'] },
          { stateCode: 'KS' },
        ],
        otherStates: { linesOfAuthority: ['16', '99'], licenseClasses: ['Adjuster'] },
      }),
      license({
        licenseClassCode: 'PRO',
        linesOfAuthority: [{ code: '16', name: 'Property Bail Agent' }, { code: 'p' }],
      }),
      license({
        npn: '8123457',
        stateCode: 'GA',
        licenseClassName: 'Adjuster',
        linesOfAuthority: [{ code: '16' }],
      }),
      {
        type: 'appointment',
        npn: '8123456',
        stateCode: 'TX',
        companyCode: '19437',
        status: 'Appointed',
        lineOfAuthorityCode: '12',
      },
    ]);
    expect(await command('check-config', { organizationId: owner, productId })).toEqual({
      productId,
      productName: 'GL',
      validFrom: expect.any(String),
      notCarried: [
        {
          stateCode: 'TX',
          linesOfAuthority: ['17', 'BE', 'SL'],
          licenseClasses: ['Insurance Producr', 'Surplus Lines'],
          carrierNaicCodes: ['10001'],
        },
        { stateCode: 'OK', linesOfAuthority: ['16'], licenseClasses: [], carrierNaicCodes: [] },
        { stateCode: null, linesOfAuthority: ['99'], licenseClasses: [], carrierNaicCodes: [] },
      ],
    });
  });

  it('lists the rows that cannot be read, while they count, and the words that are not recognized', async () => {
    const owner = await newOwner();
    await imported(owner, [
      license({ licenseClassName: 'Wizard', status: 'Enchanted' }),
      license({ npn: '8123457', licenseClassName: 'Wizard' }),
      { type: 'appointment', npn: '8123456', stateCode: 'TX', carrierName: 'Beacon', status: 'Nullified' },
    ]);
    const entity = { kind: 'individual', name: 'Maria Delgado' } as const;
    const visit = (at: string, ...licenses: object[]) => {
      const report = reportOf({ ...entity, licenses, appointments: [], regulatoryActions: [] });
      return holdersIn(registryRecords).poll(owner, '8123458', at, report);
    };
    const odd = {
      stateCode: 'GA',
      licenseNumber: '77',
      status: 'Active',
      residencyStatus: 'Elsewhere',
      linesOfAuthority: [],
    };
    await visit('2026-06-01T12:00:00.000Z', odd);
    expect(await command('list-unread', { organizationId: owner })).toMatchObject({
      unreadable: [
        {
          npn: '8123458',
          kind: 'license',
          stateCode: 'GA',
          faults: ['residencyStatus'],
        },
      ],
      unrecognized: [
        { what: 'class', stateCode: 'TX', className: 'Wizard', count: 2 },
        { what: 'license status', status: 'Enchanted', count: 1 },
        { what: 'appointment status', status: 'Nullified', count: 1 },
      ],
    });
    await visit('2026-06-02T12:00:00.000Z', { ...odd, residencyStatus: 'NR' });
    expect(await command('list-unread', { organizationId: owner })).toMatchObject({ unreadable: [] });
  });
});
