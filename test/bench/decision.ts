import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { decideParty } from '../../shared/domain/decision/decide.ts';
import { type HolderFacts, noFacts } from '../../shared/domain/decision/facts.ts';
import { type Recorded, recordLists } from '../../shared/domain/decision/record.ts';
import type { Appointment, License } from '../../shared/domain/registry/resources.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { beacon, config } from '../decision/case-rows.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { count, median, type Row } from './report.ts';

const licenses = 20;
const versions = 5;
const day = '2026-06-30';
const knownAt = '2026-07-01T12:00:00.000Z';
/** Answers a round: enough for the clock; and rounds, of which those of both sides take turns. */
const answers = 200;
const rounds = 60;

type Facts = HolderFacts<License, Appointment>;

/** The facts with what a poll adds, as it is stored. */
function withAdded(facts: Facts, added: Recorded<License, Appointment>, recordedAt: string): Facts {
  const stored = <One>(ones: readonly One[]) =>
    ones.map((one) => ({ ...one, by: 'synchronization' as const, recordedAt }));
  return {
    ...facts,
    licenses: [...facts.licenses, ...stored(added.licenses)],
    appointments: [...facts.appointments, ...stored(added.appointments)],
    closings: [...facts.closings, ...stored(added.closings)],
  };
}

/** Twenty licenses that were renewed four times, as yearly polls of the registry recorded them. */
function recordedIn(states: readonly License['stateCode'][]): Facts {
  return Array.from({ length: versions }, (_, year) => 2022 + year).reduce<Facts>((facts, year) => {
    const commandAt = `${year}-01-15T09:00:00.000Z`;
    const listed = Array.from({ length: licenses }, (_, index) =>
      sampleLicense({
        stateCode: states[index % states.length] ?? 'TX',
        licenseNumber: String(2_000_000 + index),
        nextRenewalDate: `${year + 1}-01-31`,
      }),
    );
    const added = recordLists(
      facts,
      { licenses: listed, appointments: undefined },
      { commandId: String(year), commandAt, by: 'synchronization' },
    );
    return withAdded(facts, added, commandAt);
  }, noFacts);
}

function microseconds(work: () => void): number {
  const started = performance.now();
  for (let done = 0; done < answers; done += 1) work();
  return ((performance.now() - started) * 1_000) / answers;
}

function measureIn(where: string, states: readonly License['stateCode'][]): Row {
  const facts = recordedIn(states);
  const [stateCode = 'TX'] = states;
  const configs = [config({ stateCode, linesOfAuthority: ['16'] })] as const;
  const answer = (): void => {
    const coverage = coverageOf(facts, knownAt);
    const asked = { party: 'agent', stateCode, day, knownAt, coverage, configs, carrier: beacon } as const;
    if (decideParty(asked).verdict !== 'yes') throw new Error('The licenses of the bench are not in force.');
  };
  const text = JSON.stringify(facts);
  const parse = (): void => {
    if (JSON.parse(text).licenses.length !== licenses * versions) throw new Error('Facts are missing.');
  };
  microseconds(answer);
  microseconds(parse);
  const times = Array.from({ length: rounds }, () => [microseconds(answer), microseconds(parse)] as const);
  const [decided, parsed] = [median(times.map(([one]) => one)), median(times.map(([, other]) => other))];
  return {
    what: `the decision for a holder of ${licenses} licenses ${where}, ${versions} versions each`,
    measured: `${count(decided)} µs`,
    comparedWith: `JSON.parse of the same ${count(text.length / 1_000)} KB: ${count(parsed)} µs`,
    ratio: decided / parsed,
    budget: 'at most 1',
    isWithin: decided <= parsed,
  };
}

/** What it takes to answer whether somebody may sell, beside reading what the answer is made of. */
export const measureDecision = async (): Promise<Row[]> => [
  measureIn('of as many states', stateCodes.slice(0, licenses)),
  measureIn('of one state', ['TX']),
];
