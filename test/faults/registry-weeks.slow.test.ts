import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { newObjectId } from '#platform/data/keys.ts';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';
import { awsFaults } from '../support/aws-faults/middleware.ts';
import { newDatabase } from '../support/engine.ts';
import { movableClock } from '../support/fast-clock/fast-clock.ts';
import { fastQueues } from '../support/fast-clock/fast-queues.ts';
import { movedWorker } from '../support/fast-clock/fast-worker.ts';
import { createGrantLedger } from '../support/grants.ts';
import { admin, importRecords, newOrganization, secretsClient } from '../support/local-api.ts';
import { messagesIn } from '../support/queues.ts';
import { randomOf } from '../support/random.ts';
import { until } from '../support/until.ts';
import { request } from './client.ts';
import { command } from './operator.ts';
import { associationsPath } from './organizations.ts';
import { seededFaults } from './seeded-faults.ts';

// Weeks of nights with a registry that answers reports, of which rows cannot be read now and then, and which is down for as long as its
// answers count, while calls of AWS fail. No night asks more than it may. After each, whoever may sell could do so when that was
// verified; in the end everything is known as the registry has it. What the functions may read of the registry, they had to.

const isLong = process.env['FAULT_RUN'] === 'long';
const seed = process.env['FAULT_SEED'] ?? 'weeks';
const nights = isLong ? 50 : 7;
/** By then all that is left must be known. */
const settlingNights = 6;
const npns = Array.from({ length: 12 }, (_, index) => String(81_000 + index));
const agencyNpn = '80999';
/** Fewer than there are NPNs. */
const mostCallsANight = 8;
const verifiedWithinDays = isLong ? 7 : 3;
/** The day on which it answers again: until then nothing else can be verified for as long as counts. */
const upAgain = 2 + verifiedWithinDays;
const isDown = (day: number): boolean => day >= 2 && day < upAgain;

const rates = {
  throttle: 0.02,
  conflict: 0.01,
  'fail before': 0.02,
  'fail after': 0.02,
  crash: 0.002,
  duplicate: 0.1,
  outage: 0.002,
};

/** 12:00 and 21:00 in New York on a day; day 0 is Monday, January 4, 2027. */
const noon = (day: number): Date => new Date(Date.UTC(2027, 0, 4 + day, 17));
const evening = (day: number): Date => new Date(Date.UTC(2027, 0, 5 + day, 2));

interface Version {
  readonly from: Date;
  readonly isLicensed: boolean;
  /** Whether a row beside the license has a date that cannot be read. */
  readonly isOdd: boolean;
}

const withoutReport = '<PDB><ERROR><DESCRIPTION>System unavailable</DESCRIPTION></ERROR></PDB>';

const monthFirst = (time: Date): string => time.toISOString().replace(/^(\d+)-(\d+)-(\d+)T.*/, '$2/$3/$1');

function reportOf(npn: string, { from, isLicensed, isOdd }: Version): string {
  const license = (number: string, expires: string, active: string, detail: string): string =>
    `<LICENSE><LICENSE_NUM>${number}</LICENSE_NUM><DATE_ISSUE_LICENSE_ORIG>04/01/2019</DATE_ISSUE_LICENSE_ORIG>
      <DATE_EXPIRE_LICENSE>${expires}</DATE_EXPIRE_LICENSE><LICENSE_CLASS>Insurance Producer</LICENSE_CLASS>
      <RESIDENCY_STATUS>R</RESIDENCY_STATUS><ACTIVE>${active}</ACTIVE><DETAILS><DETAIL><LOA>Casualty</LOA><LOA_CODE>16</LOA_CODE>
      <AUTHORITY_ISSUE_DATE>04/01/2019</AUTHORITY_ISSUE_DATE>${detail}</DETAIL></DETAILS></LICENSE>`;
  const ended = `<STATUS>Inactive</STATUS><STATUS_REASON>Revoked</STATUS_REASON><STATUS_REASON_DATE>${monthFirst(from)}</STATUS_REASON_DATE>`;
  const own = license(
    npn,
    '12/31/2028',
    isLicensed ? 'Yes' : 'No',
    isLicensed ? '<STATUS>Active</STATUS>' : ended,
  );
  const odd = isOdd ? license(npn, '31/12/2028', 'No', '<STATUS>Inactive</STATUS>') : '';
  return `<PDB><PRODUCER><INDIVIDUAL><ENTITY_BIOGRAPHIC><BIOGRAPHIC><NPN>${npn}</NPN></BIOGRAPHIC></ENTITY_BIOGRAPHIC>
    <PRODUCER_LICENSING><LICENSE_INFORMATION><STATE name="TX">${own}${odd}</STATE></LICENSE_INFORMATION></PRODUCER_LICENSING>
    </INDIVIDUAL></PRODUCER></PDB>`;
}

/** A registry with what it has of each NPN, the latest version last. */
function createRegistry(random: ReturnType<typeof randomOf>) {
  const first: Version = { from: new Date(0), isLicensed: true, isOdd: false };
  const versions = new Map([agencyNpn, ...npns].map((npn) => [npn, [first]]));
  const at = (npn: string, time: Date): Version =>
    versions.get(npn)?.findLast(({ from }) => from <= time) ?? first;
  return {
    at,

    /** Changes what there is of somebody now and then, on a day; returns of whom. */
    change(day: number): string[] {
      const changed = npns.filter(() => random.chance(12));
      for (const npn of changed) {
        const { isLicensed, isOdd } = at(npn, noon(day));
        const isOfRow = random.chance(30);
        versions.get(npn)?.push({
          from: noon(day),
          isLicensed: isOfRow ? isLicensed : !isLicensed,
          isOdd: isOfRow ? !isOdd : isOdd,
        });
      }
      return changed;
    },
  };
}

describe(`weeks of a registry, seed ${seed}`, () => {
  const random = randomOf(seed);
  const registry = createRegistry(random);
  const faults = seededFaults(seed, rates, !isLong);
  const grants = createGrantLedger();
  const clock = movableClock();
  // The first visits, at noon of day 0, take the calls of its night.
  let day = 1;
  let asked = 0;
  /** Questions of a night, at most. */
  let most = 0;
  let server: Server;
  let localRun: LocalRun;
  let logDirectory: string;

  beforeAll(async () => {
    clock.moveTo(noon(0));
    logDirectory = await mkdtemp(join(tmpdir(), 'insurance-compliance-weeks-'));
    server = createServer(({ url = '' }, response) => {
      asked += 1;
      const npn = new URL(url, 'http://registry').searchParams.get('id_entity') ?? '';
      response.end(isDown(day) ? withoutReport : reportOf(npn, registry.at(npn, clock.now())));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin`;
    localRun = await startLocalRun({
      logDirectory,
      engines: { dynamoDbLocal: newDatabase() },
      onError: () => undefined,
      onGrantUsed: grants.use,
      environment: { registry: { kind: 'report', address }, sandbox: false, mostCallsANight },
      awsMiddleware: (parts) => {
        const queues = fastQueues(1, 1_800);
        const impair = awsFaults(faults.decide, faults.indexLag)(parts);
        return (call, next) => impair(call, () => queues(call, next));
      },
      workerBundle: await movedWorker(logDirectory),
      now: () => clock.now().getTime(),
    });
    process.env['TEST_BASE_URL'] = localRun.baseUrl;
    process.env['TEST_AWS_ENDPOINT'] = localRun.awsEndpoint;
    process.env['TEST_OPERATOR_KEY'] = localRun.operatorAccessKeyId;
  });

  afterAll(async () => {
    await localRun.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(logDirectory, { recursive: true });
  });

  /** A carrier whose producers sell a product in Texas, once all of them are polled. */
  async function newCarrier() {
    const { organizationId, token } = await newOrganization('upstreamEntity');
    await admin('update-organization', { organizationId, verifiedWithinDays });
    const [productId, associationId] = [newObjectId(new Date()), newObjectId(new Date())];
    const states = [
      {
        stateCode: 'TX',
        linesOfAuthority: ['16'],
        appointment: 'not required',
        licenseOf: 'agent',
        homeState: 'ignored',
      },
    ];
    await importRecords(
      organizationId,
      { type: 'compliance-config', productId, productName: 'Product', states },
      {
        type: 'association',
        _id: associationId,
        downstreamEntity: { legalName: 'Lone Star', npn: agencyNpn },
      },
      ...npns.map((npn) => ({
        type: 'agent',
        npn,
        firstName: 'Ana',
        lastName: 'Reyes',
        downstreamEntityAssociationIds: [associationId],
      })),
    );
    const path = `${associationsPath}/${associationId}/sync`;
    expect(await request({ method: 'POST', path, headers: token })).toMatchObject({ status: 202 });
    expect(
      await request({ method: 'POST', path: '/v2/upstream/npn-lookup', headers: token, body: { npns } }),
    ).toMatchObject({ status: 200 });
    await localRun.fireSchedule('registry-reconciliation-new-npns');
    await localRun.waitUntilIdle();
    return async () => {
      const checks = npns.map((npn) => ({ seller: { npn }, product: { productId }, stateCode: 'TX' }));
      const { data } = await request({
        method: 'POST',
        path: '/v2/upstream/sale-checks',
        headers: token,
        body: { checks },
      });
      const answers = data['checks'] as { answer: string; verifiedAt: string | null }[];
      return npns.map((npn, index) => ({
        npn,
        answer: String(answers[index]?.answer),
        verifiedAt: answers[index]?.verifiedAt ?? null,
      }));
    };
  }

  /** A night, with what goes wrong; a dispatch that breaks off is begun again, as Lambda does. */
  async function reconcile(): Promise<void> {
    const before = asked;
    faults.arm(true);
    const dispatch = () =>
      localRun.fireSchedule('registry-reconciliation-dispatch').then(
        () => true,
        () => false,
      );
    while (!(await dispatch()));
    // What is left of the night before may have taken all calls.
    await until(() => asked > before, 50, 10_000).catch(() => undefined);
    if (isDown(day)) return faults.arm(false);
    await localRun.waitUntilIdle();
    most = Math.max(most, asked - before);
    faults.arm(false);
    // What failed as often as a message may while the registry was down, and is done by now.
    while ((await messagesIn('registry-reconciliation-dead')) > 0) {
      await command('redrive', { queue: 'registry-reconciliation' });
      await localRun.waitUntilIdle();
    }
  }

  it('lose nothing, and allow nobody wrongly', async () => {
    await secretsClient().send(
      new PutSecretValueCommand({
        SecretId: 'insurance-compliance-local-registry-key',
        SecretString: JSON.stringify({ customerNumber: '42', pin: '4711' }),
        VersionStages: ['AWSCURRENT'],
      }),
    );
    const answersNow = await newCarrier();
    const seen: Record<string, number> = { yes: 0, no: 0, unknown: 0 };
    const wrong: string[] = [];
    /** Whose answer does not follow from what the registry has now. */
    const lost = async () =>
      (await answersNow()).filter(({ npn, answer }) => {
        const { isLicensed, isOdd } = registry.at(npn, clock.now());
        const right = isLicensed ? [isOdd ? 'unknown' : 'yes'] : ['no', ...(isOdd ? ['unknown'] : [])];
        return !right.includes(answer);
      });
    for (; day < nights + settlingNights; day += 1) {
      clock.moveTo(evening(day));
      const changed = day < nights ? registry.change(day) : [];
      if (changed.length > 0) {
        const npns = [...changed, '4711'];
        expect(await admin('request-visits', { npns })).toEqual({ requested: changed.length, unknown: 1 });
      }
      await reconcile();
      for (const { npn, answer, verifiedAt } of await answersNow()) {
        seen[answer] = (seen[answer] ?? 0) + 1;
        if (answer !== 'yes') continue;
        const { isLicensed, isOdd } = registry.at(npn, new Date(verifiedAt ?? 0));
        const age = (clock.now().getTime() - Date.parse(verifiedAt ?? '')) / 86_400_000;
        if (!isLicensed || isOdd || !(age < verifiedWithinDays + 2))
          wrong.push(`${npn} may sell on day ${day}, verified at ${verifiedAt}`);
      }
      if (day > nights && (await lost()).length === 0) break;
    }
    const left = await lost();
    const injected = faults.injected();
    process.stdout.write(
      `Registry weeks, seed ${seed}: ${day} nights, ${asked} questions, ${most} a night, answers ${JSON.stringify(seen)}, faults ${JSON.stringify(injected)}, wrongly yes: ${wrong.length}, lost: ${left.length}\n`,
    );
    expect(wrong).toEqual([]);
    expect(left).toEqual([]);
    expect(most).toBe(mostCallsANight);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    const ofRegistry = grants
      .unused(localRun.statements)
      .filter(({ resource }) => resource.includes('registry-key') && !resource.includes(':sqs:'));
    expect(ofRegistry).toEqual([]);
  }, 3_600_000);
});
