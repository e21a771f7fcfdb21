import * as z from 'zod/mini';
import { mostShown } from '../../functions/import/dry-run.ts';

const names = z.array(z.string());

/** Of policies: null where it is not known, or there is none. */
const statuses = z.array(z.nullable(z.string()));
const flip = { before: statuses, after: statuses };

/** What a call of the import function says would change. */
export const dryRun = z.object({
  records: z.array(
    z.object({ kind: z.string(), created: z.number(), changed: z.number(), ended: z.number() }),
  ),
  answers: z.array(
    z.object({
      npn: z.string(),
      party: z.string(),
      productId: z.string(),
      stateCode: z.string(),
      before: names,
      after: names,
    }),
  ),
  policies: z.array(
    z.object({
      byChange: z.array(z.object({ ...flip, count: z.number() })),
      shown: z.array(z.object({ policyNumber: z.string(), ...flip })),
      unreadable: z.array(z.string()),
    }),
  ),
});

/** Undefined of a call that was to write. */
export type DryRunPart = z.output<typeof dryRun> | undefined;

interface Flip {
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[];
}

/** Counts what flips, by what to. */
function createFlips() {
  const byChange = new Map<string, Flip & { readonly count: number }>();
  return {
    byChange: () => [...byChange.values()],
    add({ before, after }: Flip, count = 1): void {
      const key = JSON.stringify([before, after]);
      byChange.set(key, { before, after, count: (byChange.get(key)?.count ?? 0) + count });
    },
  };
}

/**
 * Adds up what calls say would change. An answer of a producer or an agency counts once, as the last call has it; a policy, of
 * which only numbers are kept, for each call that would flip its answer.
 */
export function createDryRunSummary() {
  const records = new Map<string, { created: number; changed: number; ended: number }>();
  const answers = new Map<string, NonNullable<DryRunPart>['answers'][number]>();
  const policies = createFlips();
  const shownPolicies: NonNullable<DryRunPart>['policies'][number]['shown'] = [];
  const unreadable = new Set<string>();
  return {
    add(part: DryRunPart): void {
      for (const { kind, created, changed, ended } of part?.records ?? []) {
        const known = records.get(kind) ?? { created: 0, changed: 0, ended: 0 };
        records.set(kind, {
          created: known.created + created,
          changed: known.changed + changed,
          ended: known.ended + ended,
        });
      }
      for (const answer of part?.answers ?? []) {
        const { npn, party, productId, stateCode } = answer;
        answers.set([npn, party, productId, stateCode].join(' '), answer);
      }
      for (const ofCarrier of part?.policies ?? []) {
        for (const change of ofCarrier.byChange) policies.add(change, change.count);
        shownPolicies.push(...ofCarrier.shown.slice(0, mostShown - shownPolicies.length));
        for (const one of ofCarrier.unreadable) unreadable.add(one);
      }
    },
    summary() {
      const ofAnswers = createFlips();
      for (const answer of answers.values()) ofAnswers.add(answer);
      const shown = [...answers.values()].slice(0, mostShown);
      return {
        records: Object.fromEntries(records),
        answers: { count: answers.size, byChange: ofAnswers.byChange(), shown },
        policies: {
          count: policies.byChange().reduce((sum, { count }) => sum + count, 0),
          byChange: policies.byChange(),
          shown: shownPolicies,
          ...(unreadable.size === 0 ? {} : { unreadable: [...unreadable] }),
        },
      };
    },
  };
}
