import { setTimeout as pause } from 'node:timers/promises';
import { derivedEventId } from '#domain/events/stored.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { rotateSigningSecret } from '../support/local-api.ts';
import { type Outcome, request } from './client.ts';
import { type ImportKind, importKinds, recordsOf } from './imports.ts';
import { type Done, type InTurn, type Kind, kinds, type Step, work } from './operations.ts';
import { sweepLicenses } from './operator.ts';
import type { Carrier } from './organizations.ts';
import { chosen, draw } from './seeded.ts';

const kindOf = (number: number): Kind => {
  let rest = number * Object.values(kinds).reduce((sum, share) => sum + share, 0);
  for (const [kind, share] of Object.entries(kinds)) {
    rest -= share;
    if (rest < 0) return kind as Kind;
  }
  return 'patch';
};

/** A version signs once it is two minutes old, six seconds here; until then the one before it has to be there. */
const betweenRotationsMs = 10_000;

const isImport = (kind: Kind): kind is ImportKind => importKinds.some((one) => one === kind);

/** Does what it is given, one after the other. */
function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Operations under way at once. */
const concurrency = 12;

/** Does operations, which follow from the seed, until they are so many changes, each as a client that tries until it is answered. */
export async function operate(
  seed: string,
  wanted: number,
  carriers: readonly Carrier[],
  {
    receiver,
    today,
    recordsAtOnce,
    restore,
  }: Pick<Step, 'receiver' | 'recordsAtOnce'> & {
    readonly today: CalendarDate;
    /** Done once, in the middle of it. */
    readonly restore: () => Promise<void>;
  },
): Promise<Done[]> {
  const done: Done[] = [];
  let next = 0;
  let begun = 0;
  const restoreAfter = wanted * draw(seed, 'restore') * 0.8;
  let restored: Promise<void> | undefined;
  // An operator does one sweep after the other.
  const sweeping = inTurn();
  const sweep = () => sweeping(() => sweepLicenses(today));
  // A token that was signed before is still good: its version is at least the previous one.
  const rotating = inTurn();
  const rotateKeys = (): Promise<Outcome> => {
    const rotated = rotating(async () => {
      await rotateSigningSecret();
      return { status: 200, data: {}, tries: 1 };
    });
    void rotating(() => pause(betweenRotationsMs));
    return rotated;
  };
  // An import writes sixteen records at once: more than one are more than this machine answers in time.
  const importing = inTurn();
  const worker = async (): Promise<void> => {
    while (begun < wanted) {
      const number = next;
      next += 1;
      const kind = kindOf(draw(seed, number, 'kind'));
      begun += isImport(kind) ? recordsOf(kind, recordsAtOnce) : 1;
      if (begun >= restoreAfter && restored === undefined) restored = restore();
      await restored;
      const carrier = chosen(carriers, draw(seed, number, 'carrier'));
      const mark = `${kind}-${number}`;
      const headers = chosen(carrier.tokens, draw(seed, number, 'token'));
      const idempotencyKey = derivedEventId(seed, mark);
      const { subject, outcome, changes } = await work[kind]({
        recordsAtOnce,
        importing,
        carrier,
        mark,
        number,
        receiver,
        sweep,
        rotateKeys,
        agencyId: chosen(carrier.agencyIds, draw(seed, number, 'agency')),
        target: chosen(carrier.associationIds, draw(seed, number, 'target')),
        filingId: chosen(carrier.filingIds, draw(seed, number, 'filing')),
        call: (method, path, body, others) =>
          request({
            method,
            path,
            headers: others ?? headers,
            ...(method === 'GET' ? {} : { idempotencyKey }),
            ...(body === undefined ? {} : { body }),
          }),
      });
      for (const change of changes ?? [{ mark, subject }])
        done.push({ number, kind, carrier, outcome, ...change });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done;
}
