import * as z from 'zod/mini';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { complianceKeys } from '../compliance/stored.ts';
import type { Baseline } from './baseline.ts';
import { packedReport, unpackedReport } from './statuses.ts';

const reportedItem = storedItem('compliance/reported', () => ({
  knownAt: timestamp,
  /** Absent from one of before the rules had a number: it was made at its `knownAt`. */
  at: z.optional(timestamp),
  rules: z._default(z.int(), 1),
  /** `packedReport`. */
  statuses: z.instanceof(Uint8Array),
  /** The last report by the rules before, where those that made this one make something else of what was known then. */
  byRulesBefore: z.optional(z.object({ at: timestamp, rules: z.int(), statuses: z.instanceof(Uint8Array) })),
  /** While events of it are still to be emitted: what changed with it, and the change for which it was decided. */
  unsent: z.optional(z.object({ windowId: z.uuid(), version: z.int(), changed: z.instanceof(Uint8Array) })),
}));

/** The item of a baseline, none of whose events are still to be emitted. */
export const baselineItem = (
  owner: string,
  npn: string,
  { knownAt, at, rules, byRulesBefore: before, ...statuses }: Baseline,
) => ({
  ...complianceKeys.reported(owner, npn),
  knownAt,
  at,
  rules,
  statuses: packedReport(statuses),
  byRulesBefore: before && { at: before.at, rules: before.rules, statuses: packedReport(before) },
});

/** Reads what was last reported of an NPN. */
export const createBaselineOf = (compliance: Table) => async (owner: string, npn: string) => {
  const found = await compliance.get(reportedItem, complianceKeys.reported(owner, npn));
  if (found === undefined) return undefined;
  const { knownAt, at = knownAt, rules, statuses, byRulesBefore: before, unsent } = found;
  const byRulesBefore = before && { ...before, ...unpackedReport(before.statuses) };
  return { ...unpackedReport(statuses), knownAt, at, rules, byRulesBefore, unsent };
};
