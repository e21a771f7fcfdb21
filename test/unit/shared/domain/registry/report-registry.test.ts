import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { RegistryUnavailable } from '#domain/registry/registry.ts';
import { createReportRegistry, readReport } from '#domain/registry/report-registry.ts';

// No test waits in real time: pauses end at once, and a test decides when a timeout expires.
jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));

const fixture = (name: string): string =>
  readFileSync(`test/unit/shared/domain/registry/reports/${name}.xml`, 'utf8');

describe('a report', () => {
  test('of a producer has licenses with their lines, appointments, and actions, and nothing of the person but the name', () => {
    const report = readReport(fixture('producer'));
    expect(report).toEqual({
      kind: 'individual',
      name: 'MARIA DELGADO',
      licenses: [
        {
          stateCode: 'TX',
          licenseNumber: '0012345',
          licenseClassCode: '1',
          licenseClassName: 'Insurance Producer',
          status: 'active',
          statusReason: null,
          statusDate: null,
          residencyStatus: 'resident',
          issueDate: '2019-04-01',
          nextRenewalDate: null,
          expirationDate: null,
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
        {
          stateCode: 'TX',
          carrierName: 'Beacon Specialty',
          ein: '75-1234567',
          companyCode: '019437',
          lineOfAuthorityName: 'Casualty',
          lineOfAuthorityCode: '16',
          status: 'APPOINTED',
          terminationReason: null,
          statusChangeDate: '2021-01-02',
          renewalDate: null,
          effectiveDate: null,
          appointerStateCoId: null,
          countyCode: '086',
          countyName: null,
        },
      ],
      actions: [
        {
          stateCode: 'TX',
          actionId: '4471',
          originOfAction: null,
          reasonForAction: null,
          disposition: 'Suspended',
          dateOfAction: null,
          effectiveDate: '2026-05-02',
          enterDate: null,
          fileRef: null,
          penaltyFineForfeitureInUSD: 1250.5,
          lengthOfOrderInDays: 90,
        },
      ],
      unreadable: [],
    });
    expect(JSON.stringify(report)).not.toMatch(/999-88|1970|555-0100/);
  });

  test('of an agency has several licenses and appointments of a state, and licenses without lines', () => {
    expect(readReport(fixture('agency'))).toMatchObject({
      kind: 'firm',
      name: 'LONE STAR BROKERAGE, L.L.C.',
      licenses: [
        { stateCode: 'TX', licenseNumber: '148731', issueDate: '2011-06-03', expirationDate: '2027-03-31' },
        { stateCode: 'TX', licenseNumber: '148732', expirationDate: null, linesOfAuthority: [] },
        { stateCode: 'OK', licenseNumber: '100', residencyStatus: 'non-resident', issueDate: null },
      ],
      appointments: [
        { stateCode: 'TX', companyCode: '10847', status: 'APPOINTED' },
        { companyCode: '022314', status: 'TERMINATED', statusChangeDate: '2025-11-03' },
      ],
      actions: [],
      unreadable: [],
    });
  });

  test('dates a license that is not active as its lines, where all of them say the same', () => {
    expect(readReport(fixture('ended'))?.licenses).toMatchObject([
      { status: 'inactive', statusReason: 'Suspended', statusDate: '2026-03-04' },
      { status: 'inactive', statusReason: null, statusDate: null },
      { status: 'active', statusReason: null, statusDate: null },
      // The line is live: its date is none of an end.
      { status: 'inactive', statusReason: null, statusDate: null },
    ]);
  });

  test('is read row by row: one that cannot be read stops no other, and its date is never taken for none', () => {
    expect(readReport(fixture('odd'))).toMatchObject({
      licenses: [{ licenseNumber: '0012345' }, { licenseNumber: '78', status: 'Revoked' }],
      appointments: [{ companyCode: '10847' }],
      actions: [
        {
          actionId: expect.stringMatching(/^unnumbered-/),
          disposition: 'Fine',
          penaltyFineForfeitureInUSD: null,
        },
      ],
      unreadable: [
        { faults: ['expirationDate'], kind: 'license', stateCode: 'TX' },
        { faults: ['stateCode'], kind: 'license', stateCode: 'MP' },
        { faults: ['companyCode'], kind: 'appointment', stateCode: 'TX' },
        { faults: ['dateOfAction'], kind: 'regulatory action', stateCode: 'TX' },
        { faults: ['lengthOfOrderInDays'], kind: 'regulatory action', stateCode: 'TX' },
        { faults: ['lengthOfOrderInDays'], kind: 'regulatory action', stateCode: 'TX' },
      ],
    });
  });

  test('has several actions of a state, however they stand there', () => {
    const { actions = [] } = readReport(fixture('actions')) ?? {};
    expect(
      actions.map(({ stateCode, actionId, disposition }) => `${stateCode} ${actionId} ${disposition}`),
    ).toEqual([
      'TX 1 Fine',
      'TX 2 Suspended',
      'OK 3 Fine',
      'OK 4 Suspended',
      'LA 5 Fine',
      'LA 6 Suspended',
      'AR 7 Fine',
      'AR 8 Suspended',
    ]);
  });

  const revoked = '<DISPOSITION>Revoked</DISPOSITION>';
  const inTexas = (actions: string): string =>
    `<REGULATORY_ACTION><STATE name="TX">${actions}</STATE></REGULATORY_ACTION>`;
  const order = inTexas(`<ACTION_ID>7</ACTION_ID>${revoked}`);
  const fine = '<ACTION><ACTION_ID>8</ACTION_ID><DISPOSITION>Fine</DISPOSITION></ACTION>';

  const twice = `<ACTION><ACTION_ID>7</ACTION_ID>${revoked}<DISPOSITION>Fine</DISPOSITION></ACTION>`;

  test.each<[where: string, ofHolder: string, beside: string, read: readonly string[], unread: number]>([
    ['beside the person', '', order, ['Revoked'], 0],
    [
      'of a second person',
      '',
      `<FIRM><PRODUCER_LICENSING>${order}</PRODUCER_LICENSING></FIRM>`,
      ['Revoked'],
      0,
    ],
    [
      'before one in an element',
      inTexas(`<ACTION_ID>7</ACTION_ID>${revoked}${fine}`),
      '',
      ['Fine', 'Revoked'],
      0,
    ],
    ['without an id beside one', inTexas(`<ACTION>${revoked}</ACTION>${fine}`), '', ['Revoked', 'Fine'], 0],
    ['in no state', `<REGULATORY_ACTION>${revoked}</REGULATORY_ACTION>`, '', [], 1],
    ['with another word', inTexas(twice), '', [], 1],
    ['with another word, in a row', inTexas(twice.replaceAll(/<.?ACTION>/g, '')), '', [], 1],
  ])('loses no order %s', (_, ofHolder, beside, dispositions, unread) => {
    const licensing = `<PRODUCER_LICENSING><LICENSE_INFORMATION/>${ofHolder}</PRODUCER_LICENSING>`;
    const report = `<PDB><PRODUCER><INDIVIDUAL>${licensing}</INDIVIDUAL>${beside}</PRODUCER></PDB>`;
    const { actions = [], unreadable = [] } = readReport(report) ?? {};
    expect(actions.map(({ disposition }) => disposition)).toEqual(dispositions);
    expect(unreadable).toHaveLength(unread);
  });

  test('tells an NPN that is not found from an error, and both from a report without licenses', () => {
    for (const text of ['Producer not found', 'NPN 17 could not be found in the system', 'No producer found'])
      expect(readReport(fixture('not-found').replace('Producer not found', text))).toBeUndefined();
    for (const text of [
      fixture('not-found').replace('Producer not found', 'System unavailable, pin 4711'),
      fixture('not-found').replace('Producer not found', 'PIN 4711 does not exist'),
      fixture('not-found').replace('Producer not found', 'No data: connection lost'),
      fixture('not-found').replace('Producer not found', 'Database not found'),
      '<HITLIST/>',
      '<PDB><PRODUCER><INDIVIDUAL/></PRODUCER></PDB>',
      '<html><body>Sorry',
      '',
    ]) {
      expect(() => readReport(text)).toThrow(RegistryUnavailable);
      expect(() => readReport(text)).not.toThrow(/4711|Sorry/);
    }
  });
});

describe('the registry', () => {
  const timeouts = { attemptMs: 150, callMs: 600 };
  const npn = '17654321';
  let nowMs: number;
  let limits: Map<number, AbortController>;

  /** Expires the latest timeout of this length. */
  function expire(limitMs: number): void {
    nowMs += limitMs;
    limits.get(limitMs)?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  }

  type Answer = (response: ServerResponse, request: IncomingMessage) => void;

  /** The responses in order; the last one repeats. */
  let answers: Answer[] = [];
  let urls: string[];
  let pins: string[];
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      urls.push(request.url ?? '');
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [urls, pins, nowMs, limits] = [[], ['first-pin', 'second-pin'], 0, new Map()];
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((limitMs) => {
      const controller = new AbortController();
      limits.set(limitMs, controller);
      return controller.signal;
    });
    jest
      .mocked(pause)
      .mockReset()
      .mockImplementation(async (ms = 0) => {
        nowMs += ms;
      });
  });

  const text =
    (body: string, status = 200, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response.writeHead(status, headers).end(body);
  const report = text(fixture('producer'));
  const never: Answer = () => expire(timeouts.attemptMs);
  const halfway: Answer = (response) =>
    response.writeHead(200).write('<PDB>', () => expire(timeouts.attemptMs));
  const reset: Answer = (response) => response.destroy();

  /** The registry; each reading of its secret finds the next PIN, the last one again and again. */
  const registry = ({ at = address, callMs = timeouts.callMs } = {}) =>
    createReportRegistry({
      address: at,
      access: {
        current: async () =>
          JSON.stringify({ customerNumber: '42', pin: pins.length > 1 ? pins.shift() : pins[0] }),
        forget: () => undefined,
      },
      timeouts: { ...timeouts, callMs },
    });

  /** Everything that an error says, which must be RegistryUnavailable. */
  async function failureOf(call: Promise<unknown>): Promise<string> {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof RegistryUnavailable)) throw new Error(`Not unavailable: ${String(error)}`);
    const { message, stack, cause } = error;
    return [message, stack, String(cause), cause instanceof Error ? cause.stack : ''].join(' ');
  }

  it('that answers with the report of another NPN is not believed', async () => {
    answers = [report];
    expect(await failureOf(registry().fetch('17654322'))).toContain('another NPN');
    expect(await registry().fetch(`00${npn}`)).toMatchObject({ name: 'MARIA DELGADO' });
  });

  it('is asked once for an NPN, with the PIN of the secret as it is then', async () => {
    answers = [report, text(fixture('not-found'))];
    const one = registry();
    expect(await one.fetch(npn)).toMatchObject({ name: 'MARIA DELGADO' });
    expect(await one.fetch(npn)).toBeUndefined();
    const query = `report_type=1&id_entity=${npn}`;
    expect(urls).toEqual(
      ['first-pin', 'second-pin'].map(
        (pin) => `/cgi-bin/entityinfo_xml.cgi?customer_number=42&pin_number=${pin}&${query}`,
      ),
    );
  });

  it.each([
    ['503', text('', 503)],
    ['500', text('oops', 500)],
    ['429', text('', 429)],
    ['a refused PIN, which may just have been replaced', text('', 401)],
    ['a broken connection', reset],
    ['no response', never],
    ['an incomplete response', halfway],
  ])('is asked again after %s', async (_, failure) => {
    answers = [failure, report];
    expect(await registry().fetch(npn)).toMatchObject({ name: 'MARIA DELGADO' });
    expect(urls).toHaveLength(2);
    expect(urls[1]).toContain('second-pin');
  });

  it.each([
    ['503', text('Jane Doe', 503), 3],
    ['a broken connection', reset, 3],
    ['400, which is not repeated', text('Jane Doe', 400), 1],
    ['404, which says nothing of the NPN', text('Jane Doe', 404), 1],
    ['a redirect, which is not followed', text('', 302, { location: 'http://127.0.0.1:1/' }), 3],
    ['something that is not XML', text('<html>Jane Doe'), 1],
  ])(
    'is unavailable if it responds only with %s, and neither that nor the address is in an error',
    async (_, answer, attempts) => {
      answers = [answer];
      expect(await failureOf(registry().fetch(npn))).not.toMatch(/Jane Doe|-pin|customer_number/);
      expect(urls).toHaveLength(attempts);
    },
  );

  it('is unavailable where no connection is made, and the address is in no error', async () => {
    expect(await failureOf(registry({ at: 'http://127.0.0.1:1/' }).fetch(npn))).not.toMatch(
      /-pin|customer_number/,
    );
  });

  it('is unavailable when its time is up, even with attempts left', async () => {
    answers = [() => expire(timeouts.callMs)];
    await failureOf(registry().fetch(npn));
    expect(urls).toHaveLength(1);
  });

  const named = fixture('producer').replace('MARIA', 'RENÉE');
  const declaredAs = (encoding: string) =>
    named.replace(/^<\?xml.*\?>/, `<?xml version="1.0" encoding${encoding}?>`);
  it.each([
    ['UTF-8', Buffer.from(named)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${named}`)],
    ['Latin-1', Buffer.from(declaredAs('="ISO-8859-1"'), 'latin1')],
    ['Latin-1, declared with spaces', Buffer.from(declaredAs(" = 'ISO-8859-1'"), 'latin1')],
  ])('reads %s', async (_, bytes) => {
    answers = [(response) => response.end(bytes)];
    expect(await registry().fetch(npn)).toMatchObject({ name: 'RENÉE DELGADO' });
  });

  it('is unavailable if the bytes are not in the encoding of the report', async () => {
    answers = [(response) => response.end(Buffer.from(named, 'latin1'))];
    await failureOf(registry().fetch(npn));
  });

  it.each([
    ['cannot be read', () => Promise.reject(new Error('AccessDenied')), 'could not be read'],
    ['is no JSON', async () => 'secret-pin', 'no customerNumber and pin'],
  ])('is not asked where its secret %s', async (_, current, message) => {
    const access = { current, forget: () => undefined };
    const failure = await failureOf(createReportRegistry({ address, access }).fetch(npn));
    expect(failure).toContain(message);
    expect(failure).not.toContain('secret-pin');
    expect(urls).toEqual([]);
  });
});
