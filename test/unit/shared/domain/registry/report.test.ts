import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChangeFiles, changesIn } from '../../../../../shared/domain/registry/change-files.ts';
import { RegistryUnavailable } from '../../../../../shared/domain/registry/registry.ts';
import { createReportRegistry, readReport } from '../../../../../shared/domain/registry/report-registry.ts';

describe('asked over HTTP', () => {
  const licenseOf = (fields = '', details = '') => `
  <LICENSE><LICENSE_NUM>0012345</LICENSE_NUM><DATE_UPDATED>05/01/2026</DATE_UPDATED>
    <DATE_ISSUE_LICENSE_ORIG>04/01/2019</DATE_ISSUE_LICENSE_ORIG><DATE_EXPIRE_LICENSE>12/31/9999</DATE_EXPIRE_LICENSE>
    <LICENSE_CLASS>Insurance Producer</LICENSE_CLASS><LICENSE_CLASS_CODE>1</LICENSE_CLASS_CODE>
    <RESIDENCY_STATUS>R</RESIDENCY_STATUS><ACTIVE>Yes</ACTIVE><UNHEARD_OF>7</UNHEARD_OF>${fields}
    <DETAILS>${details}</DETAILS></LICENSE>`;
  const detailOf = (fields = '') =>
    `<DETAIL><LOA>Casualty</LOA><LOA_CODE>16</LOA_CODE><AUTHORITY_ISSUE_DATE>04/01/2019</AUTHORITY_ISSUE_DATE>
    <STATUS>Active</STATUS><STATUS_REASON/><CE_COMPLIANCE>NOT IN COMPLIANCE</CE_COMPLIANCE><CE_CREDITS_NEEDED>12</CE_CREDITS_NEEDED>${fields}</DETAIL>`;
  const reportOf = (states: string, actions = '') => `<?xml version="1.0" encoding="UTF-8"?>
<PDB><TRANSACTION_TYPE><TYPE>PDB</TYPE></TRANSACTION_TYPE><ERROR><DESCRIPTION/></ERROR><PRODUCER><INDIVIDUAL>
  <ENTITY_BIOGRAPHIC><BIOGRAPHIC><NAME_LAST>DELGADO</NAME_LAST><NAME_FIRST>MARIA</NAME_FIRST><NPN>17654321</NPN>
    <ID_SSN>999-88-7777</ID_SSN><DATE_BIRTH>02/03/1970</DATE_BIRTH></BIOGRAPHIC></ENTITY_BIOGRAPHIC>
  <PRODUCER_LICENSING><LICENSE_INFORMATION>${states}</LICENSE_INFORMATION>
    <REGULATORY_ACTION>${actions}</REGULATORY_ACTION></PRODUCER_LICENSING></INDIVIDUAL></PRODUCER></PDB>`;
  const error = (description: string) =>
    `<PDB><ERROR><DESCRIPTION>${description}</DESCRIPTION></ERROR></PDB>`;

  const appointment = `<APPOINTMENT_INFORMATION><APPOINTMENT><COMPANY_NAME>Beacon Specialty</COMPANY_NAME><FEIN>75-1234567</FEIN>
  <COCODE>019437</COCODE><LINE_OF_AUTHORITY>Casualty</LINE_OF_AUTHORITY><LOA_CODE>16</LOA_CODE><STATUS>APPOINTED</STATUS>
  <TERMINATION_REASON/><STATUS_REASON_DATE>01/02/2021</STATUS_REASON_DATE><APPONT_RENEWAL_DATE>12/31/2099</APPONT_RENEWAL_DATE>
  <COUNTY_CODE>086</COUNTY_CODE></APPOINTMENT></APPOINTMENT_INFORMATION>`;

  it.each([
    [
      'one after the other',
      '<ACTION_ID>1</ACTION_ID><DISPOSITION>Fine</DISPOSITION><ACTION_ID>2</ACTION_ID><DISPOSITION>Suspended</DISPOSITION>',
    ],
    [
      'the second without its first element',
      '<ORIGIN_OF_ACTION>TX</ORIGIN_OF_ACTION><ACTION_ID>1</ACTION_ID><DISPOSITION>Fine</DISPOSITION><ACTION_ID>2</ACTION_ID><DISPOSITION>Suspended</DISPOSITION>',
    ],
    [
      'in elements',
      '<ACTION><ACTION_ID>1</ACTION_ID><DISPOSITION>Fine</DISPOSITION></ACTION><ACTION><ACTION_ID>2</ACTION_ID><DISPOSITION>Suspended</DISPOSITION></ACTION>',
    ],
    [
      'in states',
      '<ACTION_ID>1</ACTION_ID><DISPOSITION>Fine</DISPOSITION></STATE><STATE name="TX"><ACTION_ID>2</ACTION_ID><DISPOSITION>Suspended</DISPOSITION>',
    ],
  ])('reads several actions of a state: %s', (_, actions) => {
    const report = readReport(reportOf('', `<STATE name="TX">${actions}</STATE>`));
    expect(report?.actions.map(({ actionId, disposition }) => `${actionId} ${disposition}`)).toEqual([
      '1 Fine',
      '2 Suspended',
    ]);
  });

  it('reads licenses with their lines, appointments, and actions, and nothing of the person but the name', () => {
    const action = `<STATE name="TX"><ACTION_ID>4471</ACTION_ID><DISPOSITION>Suspended</DISPOSITION>
    <EFFECTIVE_DATE>05/02/2026</EFFECTIVE_DATE><PENALTY_FINE_FORFEITURE>$1,250.50</PENALTY_FINE_FORFEITURE>
    <LENGTH_OF_ORDER>90</LENGTH_OF_ORDER></STATE>`;
    const report = readReport(
      reportOf(
        `<STATE name="TX">${licenseOf('', detailOf())}${appointment}</STATE><STATE name="GA"/>`,
        action,
      ),
    );
    expect(report).toMatchObject({
      kind: 'individual',
      name: 'MARIA DELGADO',
      residentStateCode: 'TX',
      licenses: [
        {
          stateCode: 'TX',
          licenseNumber: '0012345',
          licenseClassCode: '1',
          licenseClassName: 'Insurance Producer',
          status: 'active',
          residencyStatus: 'resident',
          issueDate: '2019-04-01',
          nextRenewalDate: null,
          expirationDate: null,
          statusDate: null,
          linesOfAuthority: [
            {
              code: '16',
              name: 'Casualty',
              status: 'Active',
              issueDate: '2019-04-01',
              statusDate: null,
              statusReason: null,
              ceCompliance: 'not in compliance',
              ceCreditsNeeded: 12,
              ceRenewalDate: null,
            },
          ],
        },
      ],
      appointments: [
        { companyCode: '019437', statusChangeDate: '2021-01-02', renewalDate: null, countyCode: '086' },
      ],
      actions: [{ effectiveDate: '2026-05-02', penaltyFineForfeitureInUSD: 1250.5, lengthOfOrderInDays: 90 }],
      setAside: [],
      nulled: [],
    });
    expect(JSON.stringify(report)).not.toMatch(/999-88|1970/);
  });

  it('dates a license that is not active as its lines, where all of them say the same', () => {
    const ended = '<STATUS_REASON_DATE>03/04/2026</STATUS_REASON_DATE>';
    const inactive = (...details: string[]) =>
      readReport(
        reportOf(`<STATE name="TX">${licenseOf('', details.join('')).replace('Yes', 'No')}</STATE>`),
      );
    const [one] = inactive(detailOf(ended), detailOf(ended))?.licenses ?? [];
    expect(one).toMatchObject({ status: 'inactive', statusDate: '2026-03-04' });
    const [other] = inactive(detailOf(ended), detailOf())?.licenses ?? [];
    expect(other).toMatchObject({ status: 'inactive', statusDate: null });
  });

  it('sets a license aside that cannot be read, beside one that can, and never takes its date for none', () => {
    const odd = licenseOf().replace('12/31/9999', '13/45/2024').replace('0012345', '77');
    const report = readReport(
      reportOf(`<STATE name="TX">${odd}${licenseOf()}</STATE><STATE name="MP">${licenseOf()}</STATE>`),
    );
    expect(report?.licenses).toMatchObject([{ licenseNumber: '0012345' }]);
    expect(report?.setAside).toMatchObject([
      { faults: ['expirationDate'], unread: { stateCode: 'TX', licenseNumber: '77', isLive: true } },
      { faults: ['stateCode'], unread: { stateCode: 'MP' } },
    ]);
  });

  it('tells an NPN that is not found from an error, and both from a report without licenses', () => {
    expect(readReport(error('Producer not found'))).toBeUndefined();
    for (const text of [
      error('System unavailable, pin 4711'),
      '<HITLIST/>',
      '<PDB><PRODUCER><INDIVIDUAL/></PRODUCER></PDB>',
      '<html><body>Sorry',
      '',
    ]) {
      expect(() => readReport(text)).toThrow(RegistryUnavailable);
      expect(() => readReport(text)).not.toThrow(/4711|Sorry/);
    }
    expect(readReport(reportOf(''))).toMatchObject({ licenses: [], appointments: [], actions: [] });
  });

  it('reads a report of 52 states of two megabytes', () => {
    const states = Array.from(
      { length: 52 },
      () => `<STATE name="TX">${licenseOf('', detailOf().repeat(160))}</STATE>`,
    );
    const text = reportOf(states.join(''));
    expect(text.length).toBeGreaterThan(1_500_000);
    expect(readReport(text)?.licenses).toHaveLength(52);
  });

  let server: Server;
  let urls: string[] = [];
  let answer = { status: 200, body: '' };
  let pin = 'first';
  const registry = (port: number) =>
    createReportRegistry({
      address: `http://127.0.0.1:${port}/cgi-bin/`,
      access: { current: async () => JSON.stringify({ customerNumber: '42', pin }), forget: () => undefined },
      now: () => new Date(),
      timeouts: { attemptMs: 60_000, callMs: 60_000, pauseMs: 1 },
    });
  const portOf = () => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    server = createServer((request, response) => {
      urls.push(request.url ?? '');
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  it('sends one request with the PIN of the secret as it is then', async () => {
    answer = { status: 200, body: reportOf('') };
    expect(await registry(portOf()).fetch('17654321', 'organization')).toMatchObject({
      name: 'MARIA DELGADO',
    });
    answer = { status: 200, body: error('NPN not found') };
    pin = 'second';
    expect(await registry(portOf()).poll('17654321')).toMatchObject({ isNotFound: true });
    const query = 'report_type=1&id_entity=17654321';
    expect(urls).toEqual(
      ['first', 'second'].map(
        (one) => `/cgi-bin/entityinfo_xml.cgi?customer_number=42&pin_number=${one}&${query}`,
      ),
    );
  });

  it('has nothing of the address in an error', async () => {
    pin = 'secret-pin';
    urls = [];
    answer = { status: 503, body: reportOf('') };
    const failures = [
      await registry(portOf())
        .fetch('1', 'organization')
        .catch((failure: unknown) => failure),
      await registry(1)
        .fetch('1', 'organization')
        .catch((failure: unknown) => failure),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(RegistryUnavailable);
      const { message, stack, cause } = failure as Error;
      const all = [message, stack, String(cause), cause instanceof Error ? cause.stack : ''].join(' ');
      expect(all).not.toMatch(/secret-pin|999-88|customer_number/);
    }
    expect(urls).toHaveLength(3);
  });
});

describe('change files', () => {
  // 2026-06-01 is a Monday.

  /** The bucket, by file: its text; a version is its length. */
  let bucket: Map<string, string>;
  let reads: string[];
  const files: ChangeFiles = {
    list: async (after) =>
      Array.from(bucket, ([name, text]) => ({ name, version: String(text.length) }))
        .filter(({ name }) => name > after)
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    read: async (name) => {
      reads.push(name);
      return bucket.get(name) ?? '';
    },
  };

  beforeEach(() => {
    [bucket, reads] = [new Map(), []];
  });

  /** The evening of a day of June or July 2026. */
  const evening = (day: string) => new Date(`2026-${day}T21:00:00-04:00`);
  const put = (day: string, ...npns: readonly string[]) =>
    bucket.set(`2026-${day}.txt`, npns.map((npn) => `${npn}\n`).join(''));
  const read = (day: string, cursor?: string) => changesIn(files, cursor, evening(day));
  const beginningOf = (day: string) => `2026-${day}T05:00:00.000Z`;

  test('the first list that counts is the latest, and each new one names NPNs once', async () => {
    put('05-29', '7');
    put('06-01', '1', '2');
    const first = await read('06-01');
    expect(first).toMatchObject({ npns: ['1', '2'], until: beginningOf('06-01'), missing: [] });
    put('06-02', '3');
    const second = await read('06-02', first.cursor);
    expect(second).toMatchObject({ npns: ['3'], until: beginningOf('06-02'), missing: [] });
    expect(await read('06-02', second.cursor)).toMatchObject({ npns: [], until: beginningOf('06-02') });
    expect(reads).toEqual(['2026-06-01.txt', '2026-06-02.txt']);
  });

  test('lines are NPNs however they are written, and an empty list says that nothing changed', async () => {
    bucket.set('2026-06-01.txt', '\uFEFF0007410936\r\n\r\n 17654321 \r\n');
    const first = await read('06-01');
    expect(first).toMatchObject({ npns: ['7410936', '17654321'], missing: [] });
    bucket.set('2026-06-02.txt', '');
    expect(await read('06-02', first.cursor)).toMatchObject({
      npns: [],
      until: beginningOf('06-02'),
      missing: [],
    });
  });

  test('a missing list is waited for: others name NPNs and confirm nobody until it comes', async () => {
    put('06-01');
    let { cursor } = await read('06-01');
    put('06-03', '3');
    const third = await read('06-03', cursor);
    expect(third).toMatchObject({ npns: ['3'], until: beginningOf('06-01'), missing: ['2026-06-02'] });
    put('06-02', '2');
    const fourth = await read('06-04', third.cursor);
    // Today's may still come.
    expect(fourth).toMatchObject({ npns: ['2'], until: beginningOf('06-03'), missing: [] });
    ({ cursor } = fourth);
    expect(await read('06-05', cursor)).toMatchObject({ missing: ['2026-06-04'] });
  });

  test('no list is missing on a weekend', async () => {
    put('06-05', '1');
    const { cursor } = await read('06-05');
    expect(await read('06-06', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
    expect(await read('06-07', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
    expect(await read('06-08', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
    expect(await read('06-09', cursor)).toMatchObject({ missing: ['2026-06-08'] });
  });

  test('a list that comes again is read again only where it is another one', async () => {
    put('06-01', '1');
    const first = await read('06-01');
    bucket.set('2026-06-01.txt', '1\n');
    const second = await read('06-02', first.cursor);
    expect(second.npns).toEqual([]);
    put('06-01', '1', '2');
    const third = await read('06-03', second.cursor);
    expect(third).toMatchObject({ npns: ['1', '2'], missing: ['2026-06-02'] });
  });

  test('a list of which a line cannot be read names the others and confirms nobody until it comes again', async () => {
    put('06-01');
    const first = await read('06-01');
    put('06-02', '2', 'NPN 3');
    const second = await read('06-02', first.cursor);
    expect(second).toMatchObject({ npns: ['2'], until: beginningOf('06-01'), missing: ['2026-06-02'] });
    const again = await read('06-02', second.cursor);
    expect(again).toMatchObject({ npns: [], missing: ['2026-06-02'] });
    put('06-02', '2', '3');
    expect(await read('06-02', again.cursor)).toMatchObject({
      npns: ['2', '3'],
      until: beginningOf('06-02'),
    });
  });

  test('lists of ten days that come at once are all read', async () => {
    put('06-01', '1');
    const first = await read('06-01');
    const waiting = await read('06-15', first.cursor);
    expect(waiting.missing).toHaveLength(9);
    for (const day of ['02', '03', '04', '05', '08', '09', '10', '11', '12', '15']) put(`06-${day}`, day);
    const caughtUp = await read('06-15', waiting.cursor);
    expect(caughtUp).toMatchObject({ until: beginningOf('06-15'), missing: [] });
    expect(caughtUp.npns).toEqual(['2', '3', '4', '5', '8', '9', '10', '11', '12', '15']);
  });

  test('a list that never comes is given up after 28 days, and what was verified before it is not confirmed any more', async () => {
    put('06-01');
    let { cursor } = await read('06-01');
    put('06-03');
    const still = await read('06-30', cursor);
    expect(still.until).toBeUndefined();
    expect(still.missing?.[0]).toBe('2026-06-02');
    ({ cursor } = still);
    put('07-01');
    const givenUp = await read('07-01', cursor);
    expect(givenUp).toMatchObject({ until: beginningOf('06-03'), gapUntil: beginningOf('06-04') });
    expect(givenUp.missing?.[0]).toBe('2026-06-04');
  });

  test('where no list ever came, nobody is confirmed, and one is missing from the next working day on', async () => {
    const first = await read('06-01');
    expect(first).toMatchObject({ npns: [], missing: [] });
    expect(first.until).toBeUndefined();
    expect(await read('06-02', first.cursor)).toMatchObject({ missing: ['2026-06-01'] });
  });

  test('other files and days to come are not read', async () => {
    put('06-01', '1');
    put('06-03', '3');
    bucket.set('readme.txt', 'hello');
    expect(await read('06-01')).toMatchObject({ npns: ['1'] });
  });
});
