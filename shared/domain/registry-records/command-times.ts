import type { HolderFacts, LicenseRow, Recording } from '../decision/facts.ts';
import type { Command } from '../decision/record.ts';

// Commands follow each other by their times, so no two that concern a holder may have the same one.

const recordings = ({
  licenses,
  appointments,
  closings,
  actions,
  unread,
  notFound,
}: HolderFacts<LicenseRow>): readonly Recording[] => [
  ...licenses,
  ...appointments,
  ...closings,
  ...actions,
  ...unread,
  ...notFound,
];

const plusOne = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

/** The time of a poll of the registry: later than every command that it knows of, however clocks differ. */
export function pollTime(facts: HolderFacts<LicenseRow>, now: Date): string {
  const last = recordings(facts).reduce((time, { commandAt }) => (commandAt > time ? commandAt : time), '');
  const time = now.toISOString();
  return time > last ? time : plusOne(last);
}

/** The time of an import among the commands that concern a holder: its own, unless another command has that very one. */
export function importTime(facts: HolderFacts<LicenseRow>, { commandId, commandAt }: Command): string {
  const known = recordings(facts);
  const own = known.find((one) => one.commandId === commandId);
  if (own !== undefined) return own.commandAt;
  const taken = new Set(known.map((one) => one.commandAt));
  let time = commandAt;
  while (taken.has(time)) time = plusOne(time);
  return time;
}
