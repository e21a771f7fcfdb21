import { unversioned } from '../../shared/domain/decision/configs.ts';
import { decideSale } from '../../shared/domain/decision/sale.ts';
import { type ChangeFiles, changesIn } from '../../shared/domain/registry/change-files.ts';
import {
  type RegistryReport,
  RegistryUnavailable,
  unknownNpn,
} from '../../shared/domain/registry/registry.ts';
import { readReport } from '../../shared/domain/registry/report.ts';
import { reconcileAll } from '../../shared/domain/registry-reconciliation/reconcile.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { verifiedAtOf } from '../../shared/domain/registry-records/stored-facts.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { coveragesOf, type HolderItems, readHolders } from '../../shared/domain/sale-checks/material.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { type Random, randomOf } from '../support/random.ts';
import { carrier, deps, subscribe, tables } from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

// Weeks of nights with a registry whose records change, whose lists come late, twice, or together, which has a row now and then that
// cannot be read, and which is down for a week, while calls of the database break off. After each night, whoever is said to be
// allowed to sell was so when it was verified; in the end all is known as the registry has it.

const seed = process.env['FAULT_SEED'] ?? 'weeks';
const npns = Array.from({ length: 12 }, (_, index) => String(81_000 + index));
const nights = 36;
/** Of a night: few, so that nearly all are confirmed by lists alone. */
const mostCalls = 2;
/** In the first night everybody is polled, and in the last ones whoever is left. */
const callsOf = (day: number): number => (day === 0 || day >= nights ? 100 : mostCalls);
const isDown = (day: number) => day >= 11 && day < 18;
/** On these days no list comes; theirs come together after the last one. */
const isWithoutList = (day: number) => day >= 21 && day < 26;

/** 12:00 and 21:00 in New York on a day; day 0 is Monday, June 1, 2026. */
const noon = (day: number) => new Date(Date.UTC(2026, 5, 1 + day, 16));
const evening = (day: number) => new Date(Date.UTC(2026, 5, 2 + day, 1));
const isWorkingDay = (day: number) => day % 7 < 5;

interface Version {
  readonly from: Date;
  readonly isLicensed: boolean;
  /** Whether a row beside the license has a date that cannot be read. */
  readonly isOdd: boolean;
}

/** What the registry has of each NPN, the latest version last. */
class RegistryModel {
  readonly #versions = new Map(
    npns.map((npn) => [npn, [{ from: new Date(0), isLicensed: true, isOdd: false } as Version]]),
  );
  readonly #named = new Set<string>();

  at = (npn: string, time: Date): Version =>
    this.#versions.get(npn)?.findLast(({ from }) => from <= time) ?? {
      from: time,
      isLicensed: false,
      isOdd: false,
    };

  change(npn: string, version: Version): void {
    this.#versions.get(npn)?.push(version);
    this.#named.add(npn);
  }

  /** Whom the list of a day names. */
  list(): string {
    const text = [...this.#named, '4711'].map((npn) => `${npn}\n`).join('');
    this.#named.clear();
    return text;
  }

  report(npn: string, time: Date): RegistryReport {
    const { from, isLicensed, isOdd } = this.at(npn, time);
    const ended = `${String(from.getUTCMonth() + 1).padStart(2, '0')}/${String(from.getUTCDate()).padStart(2, '0')}/2026`;
    const license = (number: string, expires: string, active: string, detail: string) =>
      `<LICENSE><LICENSE_NUM>${number}</LICENSE_NUM><DATE_ISSUE_LICENSE_ORIG>04/01/2019</DATE_ISSUE_LICENSE_ORIG>
        <DATE_EXPIRE_LICENSE>${expires}</DATE_EXPIRE_LICENSE><LICENSE_CLASS>Insurance Producer</LICENSE_CLASS>
        <RESIDENCY_STATUS>R</RESIDENCY_STATUS><ACTIVE>${active}</ACTIVE><DETAILS><DETAIL><LOA>Casualty</LOA><LOA_CODE>16</LOA_CODE>
        <AUTHORITY_ISSUE_DATE>04/01/2019</AUTHORITY_ISSUE_DATE>${detail}</DETAIL></DETAILS></LICENSE>`;
    const own = isLicensed
      ? license(npn, '12/31/2027', 'Yes', '<STATUS>Active</STATUS>')
      : license(
          npn,
          '12/31/2027',
          'No',
          `<STATUS>Inactive</STATUS><STATUS_REASON>Revoked</STATUS_REASON><STATUS_REASON_DATE>${ended}</STATUS_REASON_DATE>`,
        );
    const odd = isOdd ? license(npn, '31/12/2027', 'No', '<STATUS>Inactive</STATUS>') : '';
    return (
      readReport(
        `<PDB><PRODUCER><INDIVIDUAL><PRODUCER_LICENSING><LICENSE_INFORMATION><STATE name="TX">${own}${odd}</STATE>
          </LICENSE_INFORMATION></PRODUCER_LICENSING></INDIVIDUAL></PRODUCER></PDB>`,
      ) ?? unknownNpn
    );
  }
}

/** What a sale check of a license alone answers, and when the records were verified. */
async function answerOf(npn: string, time: Date) {
  const facts = createRecordedFacts(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
  const holders: readonly HolderItems[] = await readHolders(facts, carrier, [{ npn, stateCode: 'TX' }]);
  const [holder] = holders;
  const today = newYorkDate(time);
  const verifiedAt = holder === undefined ? null : verifiedAtOf(holder.visits, 'TX');
  const knownAt = time.toISOString();
  const { verdict } = decideSale({
    agency: undefined,
    sellers: [{ party: 'agent', coverage: coveragesOf(holders, knownAt, [])(npn), verifiedAt }],
    configs: unversioned({
      states: [
        { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required', licenseOf: 'agent' },
      ],
      carrierNaicCodes: [],
    }),
    productId: 'product',
    stateCode: 'TX',
    day: today,
    today,
    knownAt,
    carrier: { name: 'Beacon Specialty', naicCodes: [], eins: [] },
    verifiedWithinDays: 7,
  });
  return { verdict, verifiedAt };
}

/** Has now and then what the registry has of somebody change, on a day. */
function changeSome(registry: RegistryModel, day: number, random: Random): void {
  for (const npn of npns) {
    if (!random.chance(12)) continue;
    const { isLicensed, isOdd } = registry.at(npn, noon(day));
    const changesRow = random.chance(30);
    registry.change(npn, {
      from: noon(day),
      isLicensed: changesRow ? isLicensed : !isLicensed,
      isOdd: changesRow ? !isOdd : isOdd,
    });
  }
}

test('odd rows, missed lists, and a registry that is down for a week lose nothing and allow nobody wrongly', async () => {
  const random = randomOf(seed);
  const registry = new RegistryModel();
  /** The bucket, and the lists that have not come yet, with the day on which they do. */
  const bucket = new Map<string, string>();
  const onTheWay: { readonly name: string; readonly text: string; readonly comesOn: number }[] = [];
  const files: ChangeFiles = {
    list: async (after) =>
      Array.from(bucket, ([name, text]) => ({ name, version: text }))
        .filter(({ name }) => name > after)
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    read: async (name) => bucket.get(name) ?? '',
  };
  let time = evening(0);
  const clock = () => {
    time = new Date(time.getTime() + 1);
    return time;
  };
  let day = 0;
  let polls = 0;
  const faults = { before: 0, after: 0 };
  const seen = { yes: 0, no: 0, unknown: 0 };
  const nightly = (calls: number) => {
    const whole = deps(100_000, calls, clock);
    return {
      ...whole,
      registry: {
        subscribe: async () => undefined,
        poll: async (npn: string) => {
          polls += 1;
          if (isDown(day)) throw new RegistryUnavailable('Down.');
          return registry.report(npn, time);
        },
        callsPerPoll: 1,
        changesSince: (cursor: string | undefined) => changesIn(files, cursor, time),
      },
    };
  };
  const breaksOff = (): Fault => {
    if (day >= nights || !random.chance(1)) return 'none';
    const fault = random.chance(50) ? 'before' : 'after';
    faults[fault] += 1;
    return fault;
  };

  for (const npn of npns) await subscribe(npn);
  for (; day < nights + 3; day += 1) {
    time = evening(day);
    if (day < nights) changeSome(registry, day, random);
    if (isWorkingDay(day)) {
      const delay = isWithoutList(day) ? 26 - day : random.chance(40) ? 1 + random.below(5) : 0;
      const list = { name: `${newYorkDate(noon(day))}.txt`, text: registry.list() };
      onTheWay.push({ ...list, comesOn: day + delay });
      // Some come once more.
      if (random.chance(20)) onTheWay.push({ ...list, comesOn: day + delay + 1 });
    }
    for (const { name, text } of onTheWay.filter(({ comesOn }) => comesOn === day)) bucket.set(name, text);
    const before = polls;
    // A night whose dispatch breaks off is begun again, as Lambda does.
    await withFaults(breaksOff, async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const isDone = await reconcileAll(time, nightly(callsOf(day))).then(
          () => true,
          () => false,
        );
        if (isDone) break;
      }
    });
    expect(polls - before).toBeLessThanOrEqual(3 * callsOf(day));

    for (const npn of npns) {
      const { verdict, verifiedAt } = await answerOf(npn, time);
      seen[verdict] += 1;
      if (verdict !== 'yes') continue;
      const had = registry.at(npn, new Date(verifiedAt ?? 0));
      expect({ day, npn, verifiedAt, had }).toMatchObject({ had: { isLicensed: true, isOdd: false } });
      expect(time.getTime() - Date.parse(verifiedAt ?? '')).toBeLessThan(9 * 86_400_000);
    }
  }

  for (const npn of npns) {
    const { isLicensed, isOdd } = registry.at(npn, time);
    const { verdict } = await answerOf(npn, time);
    const right = isLicensed ? [isOdd ? 'unknown' : 'yes'] : ['no', ...(isOdd ? ['unknown'] : [])];
    expect(right).toContain(verdict);
  }
  // It went through all of it.
  expect(Math.min(...Object.values(seen), ...Object.values(faults))).toBeGreaterThan(0);
  process.stdout.write(`registry weeks, seed ${seed}: ${JSON.stringify({ seen, faults, polls })}\n`);
});
