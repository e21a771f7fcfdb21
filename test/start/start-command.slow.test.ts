import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json';
import {
  admin as adminOf,
  enginesOf,
  exited,
  isAlive,
  outputOf,
  type ReadyRun,
  readyRun,
  start,
} from '../support/start-command.ts';
import { eventually, until } from '../support/until.ts';

// One run serves these tests, and the last of them ends it.
describe('npm start', () => {
  let run: ReadyRun;
  let folder: string;

  const admin = (args: readonly string[]) => adminOf(args, { LOCAL_DIRECTORY: run.directory });

  const demoDescription = async () =>
    JSON.parse(await readFile(join(run.directory, 'demo.json'), 'utf8')) as Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    run = await readyRun();
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
  });

  afterAll(async () => {
    run.process.kill('SIGTERM');
    await exited(run);
    await rm(run.directory, { recursive: true });
    await rm(folder, { recursive: true });
  });

  interface Answer {
    readonly statusCode: number;
    readonly data: unknown;
  }

  /** Answers that a script of the tour prints, one a line. */
  const answersIn = (output: string): Answer[] =>
    output
      .split('\n')
      .flatMap((line) => (line.startsWith('{"statusCode"') ? (JSON.parse(line) as Answer) : []));

  const tourFile = () => join(run.directory, 'tour.sh');

  /** Answers of these steps of the tour alone, with a token of the carrier. */
  async function answersOf(...names: readonly string[]): Promise<Answer[]> {
    const script = await readFile(tourFile(), 'utf8');
    const [header = '', ...steps] = script.split(/^(?=step ')/m);
    const [token = ''] = /^TOKEN=.*$/m.exec(script) ?? [];
    const named = names.flatMap((name) => steps.filter((step) => step.startsWith(`step '${name}:`)));
    expect(named).toHaveLength(names.length);
    return answersIn(await outputOf([header, token, ...named].join('\n')));
  }

  it('says when each step of the start is done', () => {
    const [start = ''] = run.output().split('Ready after');
    expect(start.match(/^Done after [\d.]+ s: .+$/gm)?.length).toBeGreaterThan(4);
  });

  it('runs on the Node that Lambda runs, where npm has it', () => {
    const [, version] = /^Node {7}(.+)$/m.exec(run.output()) ?? [];
    const installed = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    const packaged: Readonly<Record<string, string>> = manifest.optionalDependencies;
    expect(version).toBe(packaged[installed] ?? process.versions.node);
  });

  const saleChecks = {
    statusCode: 200,
    data: {
      checks: [
        { answer: 'yes', reasons: [] },
        {
          answer: 'no',
          reasons: [
            { party: 'seller', code: 'appointment_missing' },
            { party: 'seller', code: 'authority_missing' },
          ],
        },
        { answer: 'unknown', reasons: [{ party: 'seller', code: 'seller_unknown' }] },
        { answer: 'no', reasons: [{ party: 'seller', code: 'license_class_wrong' }] },
      ],
    },
  };

  it('writes the demo data', async () => {
    const organization = {
      organizationId: expect.any(String),
      clientId: expect.any(String),
      clientSecret: expect.any(String),
      restrictedToken: expect.any(String),
    };
    expect(await demoDescription()).toMatchObject({
      upstream: organization,
      downstream: organization,
      policyId: expect.any(String),
      lapsedLicense: { policyId: expect.any(String), downstreamEntityAssociationId: expect.any(String) },
      filingId: expect.any(String),
      filingWithOpenEscalation: {
        filingId: expect.any(String),
        sourceCategoryId: expect.any(String),
        sourceTaskId: expect.any(String),
      },
    });
  });

  it('has a step for a policy bound while a license had lapsed', async () => {
    const { lapsedLicense } = (await demoDescription()) as {
      lapsedLicense: Readonly<Record<'agentId' | 'policyId' | 'expiredOn' | 'effectiveDate', string>>;
    };
    const { agentId, policyId, expiredOn, effectiveDate } = lapsedLicense;
    const [present, formerDay, feed] = await eventually(async () => {
      const answers = await answersOf('lapse');
      // The publisher may still be at work.
      return JSON.stringify(answers[2]).includes('AGENT_LICENSE_EXPIRED') ? answers : undefined;
    });
    const lapsed = {
      complianceStatus: 'NOT_COMPLIANT',
      licenseStatus: {
        statusName: 'Expired License',
        statusMessages: expect.arrayContaining([`The license in TX expired on ${expiredOn}.`]),
      },
      appointmentStatus: { statusName: 'Appointed' },
      basis: 'registry dates',
    };
    expect(present?.data).toMatchObject([
      {
        policyId,
        complianceStatus: 'COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Appointed' },
        basis: 'current',
        agents: [{ agentId, complianceStatus: 'COMPLIANT' }],
        atEffectiveDate: {
          effectiveDate,
          ...lapsed,
          agents: [{ agentId, complianceStatus: 'NOT_COMPLIANT' }],
        },
      },
    ]);
    expect(formerDay?.data).toMatchObject([lapsed]);
    expect(feed?.data).toMatchObject({
      items: [{ webhookType: 'AGENT_LICENSE_EXPIRED', payload: { agentId, nextRenewalDate: expiredOn } }],
      hasMore: false,
    });
  });

  it('has a step for a policy whose agency may sell and whose seller may not', async () => {
    const { unappointedSeller } = (await demoDescription()) as {
      unappointedSeller: Readonly<Record<'agentId' | 'policyId', string>>;
    };
    const { agentId, policyId } = unappointedSeller;
    const [agency, policy] = await answersOf('appointment');
    const appointed = { complianceStatus: 'COMPLIANT', appointmentStatus: { statusName: 'Appointed' } };
    const notAppointed = {
      complianceStatus: 'NOT_COMPLIANT',
      licenseStatus: { statusName: 'Licensed' },
      appointmentStatus: { statusName: 'Not Appointed' },
    };
    expect(agency?.data).toMatchObject([appointed]);
    expect(policy?.data).toMatchObject([
      { policyId, ...notAppointed, agents: [{ agentId, ...notAppointed }] },
    ]);
  });

  it('has a step for a sale without a license that was endorsed and renewed with one', async () => {
    const { unlicensedSale } = (await demoDescription()) as {
      unlicensedSale: Readonly<Record<'agentId' | 'policyId', string>>;
    };
    const { agentId, policyId } = unlicensedSale;
    const [sales, book] = await answersOf('sale');
    const wrongClass = {
      complianceStatus: 'NOT_COMPLIANT',
      licenseStatus: { statusName: 'Wrong License Class' },
    };
    expect(sales?.data).toMatchObject([
      { policyId, policyTransactionType: 'New', ...wrongClass, agents: [{ agentId, ...wrongClass }] },
    ]);
    expect(book?.data).toContainEqual(
      expect.objectContaining({
        policyId,
        atSale: expect.objectContaining({ complianceStatus: 'COMPLIANT' }),
      }),
    );
  });

  it('answers the tour as before once an agency, and then everybody, is synchronized with the registry', async () => {
    const { baseUrl, downstreamEntityAssociationId, upstream } = (await demoDescription()) as {
      baseUrl: string;
      downstreamEntityAssociationId: string;
      upstream: { restrictedToken: string };
    };
    const dataAt = async (path: string): Promise<unknown> => {
      const headers = { 'x-restricted-access-token': upstream.restrictedToken };
      const response = await fetch(`${baseUrl}/v2/upstream/${path}`, { headers });
      return ((await response.json()) as { data: unknown }).data;
    };
    const licenseNumbers = async () => {
      const path = `downstream-entity-associations/${downstreamEntityAssociationId}/licenses`;
      return ((await dataAt(path)) as { licenseNumber: string }[]).map((one) => one.licenseNumber);
    };
    // The feed grows.
    const verdictAnswers = async () =>
      (await answersOf('sale check', 'lapse', 'appointment', 'sale')).filter(
        ({ data }) => !JSON.stringify(data).startsWith('{"items"'),
      );
    const before = await verdictAnswers();
    expect(before[0]).toMatchObject(saleChecks);
    expect(await licenseNumbers()).not.toContain('543215');
    // A synchronization confirms what is known, whatever it finds.
    const withoutTimes = (answers: readonly { readonly data?: unknown }[]): unknown =>
      JSON.parse(JSON.stringify(answers.map(({ data }) => data)), (name, value: unknown) =>
        name === 'verifiedAt' ? null : value,
      );
    const verdicts = async () => withoutTimes(await verdictAnswers());

    const [queued] = await answersOf('registry');
    expect(queued?.statusCode).toBe(202);
    await until(async () => {
      const feed = await dataAt('events?types=ENTITY_COMPLIANCE_DATA_SYNCHRONIZED');
      return (feed as { items: unknown[] }).items.length > 0;
    });
    expect(await licenseNumbers()).toEqual(expect.arrayContaining(['543211', '543212', '543215']));
    expect(await verdicts()).toEqual(withoutTimes(before));

    const { stdout } = await admin(['run-registry-reconciliation', '{}']);
    expect(JSON.parse(stdout)).toMatchObject({ npns: expect.any(Number), failed: 0 });
    expect(await verdicts()).toEqual(withoutTimes(before));
  });

  it('writes a tour that runs as a whole, and says at its end what to open', async () => {
    const output = await outputOf(tourFile());
    const answers = new Map(
      output.split(/^# /m).map((part) => [part.slice(0, part.indexOf(':')), answersIn(part)] as const),
    );
    const refused = [...answers.values()].flat().filter(({ statusCode }) => statusCode >= 300);
    expect(refused).toEqual([]);
    expect(answers.get('token')?.[0]?.data).toContainEqual(expect.anything());
    expect(answers.get('sale check')).toMatchObject([saleChecks]);
    const replied = {
      actionRequired: false,
      escalations: [
        {
          status: 'waiting service input',
          messages: [
            { authorType: 'service' },
            { authorType: 'customer', attachments: [{ fileName: 'affidavit.pdf' }] },
          ],
        },
      ],
    };
    expect(answers.get('filing')).toMatchObject([{ statusCode: 201 }, { data: replied }]);
    const expired = expect.objectContaining({
      webhookType: 'AGENT_LICENSE_EXPIRED',
      payload: expect.objectContaining({ licenseNumber: '451201' }),
    });
    expect(answers.get('night')).toMatchObject([
      { data: { npn: '7745120' } },
      { data: { status: 'done' } },
      { data: { items: expect.arrayContaining([expired]) } },
    ]);
    expect(answers.get('agency')?.[0]?.data).toMatchObject({ items: expect.any(Array) });
    const [last] = output.trim().split('\n').slice(-1);
    expect(last).toMatch(/^Next, open http:\S+\/docs .* http:\S+\/webhooks /);
  });

  it('has demo data with pages of transactions, and licenses that today’s sweep finds', async () => {
    const { baseUrl, policyId, upstream } = (await demoDescription()) as {
      baseUrl: string;
      policyId: string;
      upstream: { restrictedToken: string };
    };
    const response = await fetch(`${baseUrl}/v2/upstream/policies/${policyId}/transactions?limit=5`, {
      headers: { 'x-restricted-access-token': upstream.restrictedToken },
    });
    expect(await response.json()).toMatchObject({ data: { total: 12, totalPages: 3 } });
    const { stdout } = await admin(['run-license-sweep', '{}']);
    expect(JSON.parse(stdout)).toMatchObject({ licenses: expect.any(Number), failed: 0 });
    expect((JSON.parse(stdout) as { licenses: number }).licenses).toBeGreaterThan(0);
  });

  it('has commands in the tour that import all samples without a rejection', async () => {
    const calls = (await readFile(tourFile(), 'utf8')).matchAll(
      /^npm run --silent admin -- import '(.+)'$/gm,
    );
    const inputs = Array.from(calls, ([, input = '']) => input);
    expect(inputs).toHaveLength(2);
    // The demo has them with dates around today; those in the repository change them.
    const asWritten = inputs.map((input) =>
      input.replace(/"file":".*\/(\w+\.ndjson)"/, '"file":"functions/import/samples/$1"'),
    );
    expect(new Set([...inputs, ...asWritten]).size).toBe(4);
    for (const input of [...inputs, ...asWritten]) {
      const { code, stdout } = await admin(['import', input]);
      const { file } = JSON.parse(input) as { file: string };
      const types = (await readFile(file, 'utf8'))
        .trim()
        .split('\n')
        .map((line, index) => ({ line: index + 1, type: (JSON.parse(line) as { type: string }).type }));
      const withId = types.filter(
        ({ type }) => !/^(license|appointment|compliance-config|class-kind)$/.test(type),
      );
      const { notes: _notes, ...answer } = JSON.parse(stdout) as Record<string, unknown>;
      expect({ code, answer }).toEqual({
        code: 0,
        answer: {
          imported: types.length,
          rejected: [],
          importedByType: expect.any(Object),
          matched: expect.any(Object),
          review: expect.any(Object),
          unmatched: expect.any(Object),
          ids: withId.map((one) => ({ ...one, _id: expect.stringMatching(/^[0-9a-f]{24}$/) })),
        },
      });
    }
  });

  it('lets an operator import a file despite invalid lines; importing it again changes nothing', async () => {
    const file = join(folder, 'policies.ndjson');
    const record = (number: number) =>
      JSON.stringify({
        type: 'policy-transaction',
        policyNumber: `P-${number}`,
        policyTransactionType: 'New',
        policyTransactionDate: '2026-01-01',
        riskStateCode: 'TX',
      });
    // An empty line ends what one call of the import function takes; the lines keep their numbers in the file.
    await writeFile(file, [record(1), '{', record(2), '', record(3), '}'].join('\n'));
    const created = await admin([
      'create-organization',
      JSON.stringify({ name: 'Acme', category: 'upstreamEntity' }),
    ]);
    expect(created.code).toBe(0);
    const { organizationId } = JSON.parse(created.stdout) as { organizationId: string };
    const expected = {
      imported: 3,
      rejected: [2, 6].map((line) => ({
        line,
        issues: [{ path: '', message: expect.stringMatching(/^is not valid JSON/) }],
      })),
      importedByType: expect.any(Object),
      matched: expect.any(Object),
      review: expect.any(Object),
      unmatched: expect.any(Object),
      ids: [1, 3, 5].map((line) => ({ line, type: 'policy-transaction', _id: expect.any(String) })),
    };
    const first = await admin(['import', JSON.stringify({ organizationId, file })]);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toEqual(expected);
    expect(await admin(['import', JSON.stringify({ organizationId, file })])).toEqual(first);
    await writeFile(file, '{');
    const nothing = await admin(['import', JSON.stringify({ organizationId, file })]);
    expect([nothing.code, JSON.parse(nothing.stdout)]).toMatchObject([1, { imported: 0 }]);
    const refused = await admin(['create-organization', '{"name":"Acme","category":"boat"}']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      errorType: 'validation_error',
      errorMessage: [expect.any(String)],
    });
    // What Node.js makes of a Latin-1 terminal's é.
    const misread = await admin([
      'create-organization',
      '{"name":"G\uFFFDrard","category":"upstreamEntity"}',
    ]);
    expect(JSON.parse(misread.stdout)).toMatchObject({ errorMessage: ['The JSON is not UTF-8.'] });
    for (const [args, message] of [
      [['boat'], "unknown command 'boat'"],
      [['redrive', '{queue'], 'The argument is not valid JSON; put it in single quotes.'],
      [['redrive', '[]'], 'must be an object'],
    ] as const) {
      const { code, stdout } = await admin(args);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        1,
        { errorType: 'validation_error', errorMessage: [message] },
      ]);
    }
  });

  it('lets an operator take a filing through to completion with a 10 MiB file', async () => {
    const done = async (command: string, input: object): Promise<Record<string, unknown>> => {
      const { code, stdout } = await admin([command, JSON.stringify(input)]);
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      expect({ command, code, answer }).toMatchObject({ code: 0 });
      return answer;
    };
    const { filingWithOpenEscalation } = (await demoDescription()) as {
      filingWithOpenEscalation: { filingId: string };
    };
    const { filingId } = filingWithOpenEscalation;
    expect(await done('resolve-escalation', filingWithOpenEscalation)).toMatchObject({
      actionRequired: false,
      escalations: [{ status: 'resolved' }],
    });
    for (const status of ['ready to file', 'filed']) await done('set-filing-status', { filingId, status });
    const early = await admin(['set-filing-status', JSON.stringify({ filingId, status: 'completed' })]);
    expect(early.code).toBe(1);
    expect(JSON.parse(early.stdout)).toMatchObject({ errorType: 'conflict' });

    const file = join(folder, 'stamped.pdf');
    const bytes = Buffer.alloc(10 * 2 ** 20, 'x');
    bytes.write('%PDF-1.4\n');
    await writeFile(file, bytes);
    const added = await done('add-completion-artifact', { filingId, type: 'accepted stamped', file });
    const [artifact] = added['completionArtifacts'] as { fileName: string; downloadUrl: string }[];
    expect(artifact?.fileName).toBe('stamped.pdf');
    const downloaded = await fetch(artifact?.downloadUrl ?? '');
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await done('set-filing-status', { filingId, status: 'completed' })).toMatchObject({
      status: 'completed',
    });

    await writeFile(file, 'no PDF');
    const refused = await admin([
      'add-completion-artifact',
      JSON.stringify({ filingId, type: 'receipt', file }),
    ]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      errorType: 'validation_error',
      errorMessage: [expect.stringContaining('PDF')],
    });
  });

  it('keeps its files in a folder of its port, where the operators’ command finds it', async () => {
    expect(await readdir(run.directory)).toEqual([
      'agency.ndjson',
      'carrier.ndjson',
      'demo.json',
      'logs',
      'run.json',
      'tour.sh',
    ]);
    const organization = JSON.stringify({ name: 'Beside', category: 'upstreamEntity' });
    expect(await adminOf(['create-organization', organization], { PORT: run.port })).toMatchObject({
      code: 0,
    });
  });

  it('logs who called an operator’s command', async () => {
    const { stdout } = await admin(['create-organization', '{"name":"Called","category":"upstreamEntity"}']);
    const { organizationId } = JSON.parse(stdout) as { organizationId: string };
    const line = await eventually(async () =>
      (await readFile(join(run.directory, 'logs', 'admin.log'), 'utf8'))
        .split('\n')
        .find((one) => one.includes(organizationId)),
    );
    expect(JSON.parse(line)).toMatchObject({
      event: 'operator_command',
      caller: expect.stringMatching(/^arn:aws:iam::\d{12}:user\/.+$/),
    });
  });

  describe('a second one beside the first', () => {
    /** The first run's description of its demo, and names of its files and logs. */
    const filesOfFirst = async () => ({
      demo: await demoDescription(),
      names: (await readdir(run.directory, { recursive: true })).toSorted(),
    });

    it('that fails leaves the files of the first untouched', async () => {
      const before = await filesOfFirst();
      const { port, directory } = run;
      for (const [environment, sentence] of [
        [{ PORT: port }, new RegExp(`^Port ${port} is in use: [^\\n]+\\n$`)],
        [{ PORT: '0', LOCAL_DIRECTORY: directory }, /^Another local run keeps its files in [^\n]+\n$/],
      ] as const) {
        const { code, output } = await exited(start(environment));
        expect(code).toBe(1);
        expect(output).toMatch(sentence);
      }
      expect(await filesOfFirst()).toEqual(before);
    });

    it('that Ctrl-C ends while it starts exits cleanly and leaves nothing behind', async () => {
      const before = await filesOfFirst();
      const TMPDIR = join(folder, 'temporary');
      await mkdir(TMPDIR);
      const second = start({ PORT: '0', LOCAL_DIRECTORY: join(folder, 'second'), TMPDIR });
      const engines = await eventually(async () => {
        const found = await enginesOf(second.process.pid ?? 0);
        return found.length > 0 ? found : undefined;
      });
      second.process.kill('SIGINT');
      expect(await exited(second)).toEqual({
        code: 0,
        output: expect.stringMatching(/^(?:Done after [^\n]+\n)*$/),
      });
      await until(() => !engines.some(isAlive));
      expect(await readdir(TMPDIR)).toEqual([]);
      expect(await filesOfFirst()).toEqual(before);
      const organization = JSON.stringify({ name: 'Beside', category: 'upstreamEntity' });
      expect(await admin(['create-organization', organization])).toMatchObject({ code: 0 });
    });
  });

  it('ends with one sentence when its database ends', async () => {
    const printed = run.output().length;
    for (const engine of await enginesOf(run.process.pid ?? 0)) process.kill(Number(engine), 'SIGKILL');
    const { code, output } = await exited(run);
    expect(code).toBe(1);
    expect(output.slice(printed).trim().split('\n').at(-1)).toMatch(
      /^DynamoDB Local (was killed|ended with code 137), and with it all data: [^\n]+$/,
    );
    expect(await readdir(run.directory)).not.toContain('run.json');
  });
});
