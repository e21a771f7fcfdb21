// A holder of thousands of appointments in one state: it is imported, checked, swept, and visited within what functions have. The
// biggest agencies have 24,000 (`APPOINTMENTS=24000`).

import { writeFile } from 'node:fs/promises';
import type { EntityReport } from '#domain/registry/registry.ts';
import { recordKeys } from '#domain/registry-records/stored-records.ts';
import { tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { storedBytes } from '#platform/data/stored.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { sweepAll } from '../../functions/license-sweep/function.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { clock, now, tables } from '../support/carrier-records.ts';
import { testContext } from '../support/context.ts';
import { holdersIn } from '../support/holders.ts';
import { importFunctionOf } from '../support/imports.ts';
import { sweepOn } from '../support/license-sweep.ts';
import { deliverMessage, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { queueJob } from '../support/registry-records.ts';
import { agencyNpn, answersOf, newCarrier, question } from '../support/sale-checks-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const appointments = Number(process.env['APPOINTMENTS'] ?? 6_000);
/** Seconds of the processor and megabytes that a function has. */
const [mostSeconds, mostMegabytes] = [120, 1_024];

const appointmentOf = (index: number) => ({
  stateCode: 'TX' as const,
  carrierName: `Insurance Company ${index % 400}`,
  ein: null,
  companyCode: String(10_000 + (index % 400)),
  lineOfAuthorityName: `Line of authority ${Math.floor(index / 400)}`,
  lineOfAuthorityCode: String(100 + Math.floor(index / 400)),
  status: index % 10 === 0 ? 'TERMINATED' : 'APPOINTED',
  terminationReason: index % 10 === 0 ? 'Cancelled by company' : null,
  statusChangeDate: '2021-05-17',
  renewalDate: '2027-05-31',
  appointerStateCoId: null,
  countyName: null,
  effectiveDate: index % 10 === 0 ? null : '2021-05-17',
  countyCode: null,
});

const rows = [
  ...Array.from({ length: appointments }, (_, index) => appointmentOf(index)),
  // By which it may sell.
  {
    ...appointmentOf(1),
    carrierName: 'Beacon Specialty',
    companyCode: null,
    lineOfAuthorityCode: '16',
    status: 'active',
  },
];

interface Measured {
  readonly seconds: number;
  readonly calls: number;
  readonly megabytes: number;
}

async function measured(what: string, work: () => Promise<unknown>): Promise<Measured> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const started = process.cpuUsage();
  const { calls } = await databaseCalls(work);
  clearInterval(watch);
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1_000_000;
  const megabytes = (Math.max(peak, process.memoryUsage().rss) - before) / 2 ** 20;
  process.stdout.write(
    `${what}: ${seconds.toFixed(1)} s, ${calls.length} calls, ${megabytes.toFixed(0)} MB more\n`,
  );
  return { seconds, calls: calls.length, megabytes };
}

const inFolder = temporaryFolder('large-holder-');

test('thousands of appointments of one holder in one state', async () => {
  const owner = await newCarrier();
  const file = inFolder('appointments.ndjson');
  await writeFile(
    file,
    rows.map((row) => JSON.stringify({ type: 'appointment', npn: agencyNpn, ...row })).join('\n'),
  );
  const importRecords = importFunctionOf(tables, now);
  const calls: Measured[] = [];
  const invoke: Invoke = async (_, payload) => {
    let result: Readonly<Record<string, unknown>> = {};
    calls.push(
      await measured(`call ${calls.length + 1} of the import`, async () => {
        result = resultOf(await importRecords(payload));
      }),
    );
    return result;
  };
  const before = await answersOf(owner, [question()]);
  clock.time = new Date(clock.time.getTime() + 60_000);
  await importFile(invoke, { file, organizationId: owner, complete: true });
  const holders = holdersIn(tables.registryRecords);
  const items = [...(await holders.itemsOf(owner, agencyNpn)).values()];
  const sizes = items.map((item) => storedBytes(toItem(item))).sort((one, other) => other - one);
  process.stdout.write(
    `${items.length} items, the largest ${sizes[0]} bytes, all ${sizes.reduce((sum, one) => sum + one, 0)}\n`,
  );
  const known = await holders.coveragesOf(owner, [agencyNpn], { classKinds: [] });
  expect(known.get(agencyNpn)?.get('TX')?.appointments.length).toBeGreaterThanOrEqual(appointments);

  const check = await measured('a sale check', async () => {
    const { checks } = await answersOf(owner, [question()]);
    expect(checks.map(({ answer }) => answer)).toEqual(before.checks.map(({ answer }) => answer));
  });

  const report: EntityReport = {
    kind: 'firm',
    name: 'Lone Star Brokerage',
    licenses: [],
    appointments: rows,
    actions: [],
  };
  const visit = async (jobId: string) => {
    const job = await queueJob(dynamo, tables.registryRecords, {
      organizationId: owner,
      npn: agencyNpn,
      jobId,
    });
    const logger = recordingLogger();
    const handler = registrySyncFunction.compose({
      registry: { fetch: async () => report },
      tables: tablesOf(dynamo, { registryRecords: tables.registryRecords, outbox: tables.outbox }),
      queue: testQueue,
      context: testContext({ logger, now }),
    });
    expect(await deliverMessage(handler, logger, job, { last: false })).toBe('done');
  };
  clock.time = new Date(clock.time.getTime() + 60_000);
  const first = await measured('a first visit', () => visit('first'));
  clock.time = new Date(clock.time.getTime() + 60_000);
  const second = await measured('a visit that says the same', () => visit('second'));

  const next = [...(await holders.itemsOf(owner, agencyNpn)).keys()]
    .find((sk) => sk.startsWith('CHECK#'))
    ?.slice('CHECK#'.length);
  const day = new Date(`${next}T10:00:00.000Z`);
  expect(newYorkDate(day)).toBe(next);
  const failures: unknown[] = [];
  const sweep = await measured('the sweep', () =>
    sweepAll(
      day,
      sweepOn(
        tables,
        () => day,
        (error) => failures.push(error),
      ),
    ),
  );
  expect(failures).toEqual([]);
  expect(
    (await holders.itemsOf(owner, agencyNpn)).get(recordKeys.head(owner, agencyNpn, 'TX').sk),
  ).toBeDefined();
  for (const one of [...calls, check, first, second, sweep]) {
    expect(one.seconds).toBeLessThan(mostSeconds);
    expect(one.megabytes).toBeLessThan(mostMegabytes);
  }
}, 1_200_000);
