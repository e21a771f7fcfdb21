import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { inOrder } from '#domain/decision/record.ts';
import { simulatedKeys } from '#domain/registry/simulated-record.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { headItems, recordsAmong } from '#domain/registry-records/stored-records.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { jobsOf } from '../../functions/registry-reconciliation/poll.ts';
import { sendMessage } from '../support/queues.ts';
import { eventually, until } from '../support/until.ts';
import { request } from './client.ts';
import { command } from './operator.ts';
import { associationsPath, type Carrier } from './organizations.ts';
import { draw } from './seeded.ts';
import type { StoredState } from './stored-state.ts';

// What the registry has on record changes while its answers are on their way: those of polls and synchronizations of one NPN.

/** Milliseconds of the machine for which an answer is on its way, forty seconds by the clock of the run: a call may take three. */
const heldMs = 2_000;

/** Of the answers after a change, so many are on their way for as long as those before it. */
const slowShare = 0.25;

/** How long a change waits at most for a question of which the answer is then too old. */
const longestWaitMs = 5_000;

/** Between two changes. */
const pauseMs = 1_000;

/** One license, which says in its line which version of the record it is. */
const recordOf = (version: number) => ({
  licenses: [
    {
      stateCode: 'TX',
      licenseNumber: 'changing',
      licenseClassCode: '1',
      licenseClassName: 'Property and Casualty Agency',
      status: 'active',
      residencyStatus: 'resident',
      issueDate: '2020-01-01',
      nextRenewalDate: null,
      expirationDate: null,
      linesOfAuthority: [{ code: '16', name: String(version), status: 'active' }],
    },
  ],
});

interface Line {
  readonly name: string;
}

const versionOf = ({ linesOfAuthority }: { readonly linesOfAuthority?: unknown }): number =>
  Number((linesOfAuthority as readonly Line[])[0]?.name);

/** Sets what the registry has on record of a carrier's changing agency. */
const setRecord = ({ changingNpn: npn }: Carrier, version: number) =>
  command('set-registry-record', { npn, record: recordOf(version) });

const synchronize = ({ changingId, tokens: [headers = {}] }: Carrier, idempotencyKey: string) =>
  request({ method: 'POST', path: `${associationsPath}/${changingId}/sync`, headers, idempotencyKey });

/** Has each carrier's changing agency synchronized for the first time, before anything goes wrong. */
export async function synchronizeFirst(carriers: readonly Carrier[]): Promise<void> {
  for (const carrier of carriers) {
    await setRecord(carrier, 0);
    await synchronize(carrier, `first ${carrier.changingId}`);
  }
  for (const {
    changingId,
    tokens: [headers = {}],
  } of carriers) {
    await eventually(async () => {
      const { data } = await request({ method: 'GET', path: `${associationsPath}/${changingId}`, headers });
      const { registryDataSubscription } = data as {
        readonly registryDataSubscription?: { readonly entityInfo: { readonly status: string } } | null;
      };
      return registryDataSubscription?.entityInfo.status === 'success' || undefined;
    });
  }
}

/** A registry of which the record of one agency of each carrier changes. */
export function changingRegistry(seed: string) {
  let questions = 0;
  /** Whether the record is about to change. */
  let isAbout = false;
  let changes = 0;
  let isOver = false;

  /** A poll and a synchronization at once. */
  async function ask(carrier: Carrier, at: Date, idempotencyKey: string): Promise<void> {
    const jobs = jobsOf([carrier.changingNpn], { asOf: at, startedAt: at, position: 0 });
    for (const job of jobs) await sendMessage('registry-reconciliation', JSON.stringify(job));
    await synchronize(carrier, idempotencyKey);
  }

  async function changeOnce(carrier: Carrier, now: () => Date): Promise<void> {
    const asked = questions;
    isAbout = true;
    const before = ask(carrier, now(), `${seed} before ${changes}`);
    await until(() => questions > asked, 20, longestWaitMs).catch(() => undefined);
    await setRecord(carrier, changes + 1);
    isAbout = false;
    changes += 1;
    await Promise.all([before, ask(carrier, now(), `${seed} after ${changes}`)]);
  }

  return {
    /** How long the answer to the next question is on its way: the machine's milliseconds. */
    holdMs(): number {
      questions += 1;
      return isAbout || draw(seed, 'registry', questions) < slowShare ? heldMs : 0;
    },

    /**
     * Changes one record after the other, with questions on both sides of each change, until it is told to stop; then says how
     * many changes there were.
     *
     * @param now the clock of the run
     */
    change(carriers: readonly Carrier[], now: () => Date): () => Promise<number> {
      const changing = (async () => {
        for (let round = 0; !isOver; round += 1) {
          const carrier = carriers[round % carriers.length];
          if (carrier === undefined) throw new Error('There is no carrier.');
          await changeOnce(carrier, now);
          await pause(pauseMs);
        }
      })();
      // Awaited when it is told to stop.
      changing.catch(() => undefined);
      return async () => {
        isOver = true;
        await changing;
        return changes;
      };
    },
  };
}

/** Every state of a holder of which the head is not what its statements come to. */
export function contradictionsOfHeads({ holders }: Pick<StoredState, 'holders'>): string[] {
  return Array.from(
    Map.groupBy(holders, ({ pk }) => String(pk)),
    ([pk, items]) => {
      const [owner = '', npn = ''] = pk.split(partitionOf('', ''));
      const coverage = coverageOf(recordsAmong(items), never);
      const heads = [...coverage.keys()].flatMap((stateCode) => {
        const state = coverage.get(stateCode);
        return state === undefined
          ? []
          : headItems(owner, npn, stateCode, state, newYorkDate(new Date())).item;
      });
      const folded = new Map(heads.map((head) => [head.sk, head]));
      const stored = new Map(
        items.filter(({ sk }) => String(sk).startsWith('HEAD#')).map((item) => [String(item['sk']), item]),
      );
      return [...new Set([...folded.keys(), ...stored.keys()])]
        .filter((sk) => !isDeepStrictEqual(stored.get(sk), folded.get(sk)))
        .map((sk) => `${sk} of ${pk} is not what its statements come to`);
    },
  ).flat();
}

/** Every way in which what is held, or was recorded in turn, does not follow what the registry had on record. */
export function contradictionsOfRegistry(
  { simulatedRecords, licenses, holders }: StoredState,
  carriers: readonly Carrier[],
): string[] {
  return carriers.flatMap(({ organizationId, changingNpn }) => {
    const pk = partitionOf(organizationId, changingNpn);
    const isOwn = (item: Readonly<Record<string, unknown>>) => item['pk'] === pk;
    const key = simulatedKeys.record(changingNpn);
    const record = simulatedRecords.find((item) => item['pk'] === key.pk);
    const now = ((record?.['licenses'] ?? []) as readonly object[]).map(versionOf);
    const held = licenses.filter(isOwn).map(versionOf);
    const recorded = inOrder(recordsAmong(holders.filter(isOwn)).licenses).flatMap(({ rows }) =>
      rows.map(versionOf),
    );
    return [
      ...(now.length === 1 && isDeepStrictEqual(held, now)
        ? []
        : [`${changingNpn} is held as ${held.join(', ')}, and the registry has it as ${now.join(', ')}`]),
      ...recorded.flatMap((version, index) =>
        index > 0 && version < (recorded[index - 1] ?? 0)
          ? [`${changingNpn} was recorded as ${version} after it was as ${recorded[index - 1]}`]
          : [],
      ),
    ];
  });
}
