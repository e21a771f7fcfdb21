import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Answer } from '../../shared/domain/decision/decide.ts';
import { addDays } from '../../shared/platform/dates/dates.ts';
import type { CaseQuestion } from './case-rows.ts';
import type { AppointmentRow, CaseCommand, LicenseRow } from './commands.ts';
import { type AskedDay, answering, dateOf, type Facts, reasonsOf } from './histories.ts';

// How the properties of the decision compare answers.

export type Configs = CaseQuestion['configs'];

/** What is said, without the rows. */
export const said = (answer: Answer<LicenseRow, AppointmentRow>) => ({
  verdict: answer.verdict,
  licenseStatus: answer.licenseStatus.statusName,
  appointmentStatus: answer.appointmentStatus.statusName,
  reasons: reasonsOf(answer),
  configBasis: answer.configBasis,
});

/** The asked day, and those on which what is recorded may come to something else: each that is written in it, and its neighbors. */
export function daysOf(recorded: readonly Facts[], { day }: AskedDay): string[] {
  const written = recorded.flatMap((facts) => JSON.stringify(facts).match(/\d{4}-\d\d-\d\d/g) ?? []);
  const days = [...new Set(written)].flatMap((one) => [addDays(one, -1), one, addDays(one, 1)]);
  return [...new Set(['2000-01-01', day, ...days])].sort();
}

/** Expects the same of a day. Jest's own comparison takes longer than a decision, and is left to what differs. */
export function expectOn(day: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect([day, actual]).toEqual([day, expected]);
}

/** Expects the same answers for every day from one on. */
export function expectSame(one: Facts, other: Facts, question: AskedDay, versions: Configs, from = ''): void {
  const [ofOne, ofOther] = [answering(one, question, versions), answering(other, question, versions)];
  for (const day of daysOf([one, other], question).filter((day) => day >= from))
    expectOn(day, said(ofOne(day)), said(ofOther(day)));
}

export const shuffled = <One>(ones: readonly One[]) =>
  fc.shuffledSubarray([...ones], { minLength: ones.length, maxLength: ones.length });

export const late = '2099-01-01T00:00:00.000Z';

/** After all commands of a history. */
export const noon = (day: number): string => `${dateOf(day)}T17:00:00.000Z`;

export const rowsOf = (command: CaseCommand) =>
  command.kind === 'not found' ? { licenses: [], appointments: [] } : command;
