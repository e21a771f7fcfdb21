import * as z from 'zod/mini';

const names = z.array(z.string());

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
});

/** Undefined of a call that was to write. */
export type DryRunPart = z.output<typeof dryRun> | undefined;

/** Answers of which the summary shows whose they are. */
const mostShown = 1_000;

/** Adds up what calls say would change. An answer counts once, as the last call has it. */
export function createDryRunSummary() {
  const records = new Map<string, { created: number; changed: number; ended: number }>();
  const answers = new Map<string, NonNullable<DryRunPart>['answers'][number]>();
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
    },
    summary() {
      const byChange = new Map<string, { before: string[]; after: string[]; count: number }>();
      for (const { before, after } of answers.values()) {
        const key = JSON.stringify([before, after]);
        byChange.set(key, { before, after, count: (byChange.get(key)?.count ?? 0) + 1 });
      }
      const shown = [...answers.values()].slice(0, mostShown);
      return {
        records: Object.fromEntries(records),
        answers: { count: answers.size, byChange: [...byChange.values()], shown },
      };
    },
  };
}
