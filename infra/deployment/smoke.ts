import * as z from 'zod/mini';
import type { InvokeFunction } from '../admin/functions.ts';

const feltStep = z.object({
  step: z.string(),
  status: z.optional(z.int()),
  ms: z.number(),
  reason: z.optional(z.string()),
  requestId: z.optional(z.string()),
});

const canaryResult = z.object({ passed: z.boolean(), steps: z.array(feltStep) });

type FeltStep = z.output<typeof feltStep>;

/** Whether callers can do what the canary does; if not, where it failed. */
export type SmokeResult = { readonly passed: true } | { readonly passed: false; readonly reason: string };

/** A step in a line: its name, the status of its response, what a caller felt, and why it failed. */
function lineOf({ step, status, ms, reason, requestId }: FeltStep): string {
  const felt = `  ${step.padEnd(12)}${String(status ?? '').padEnd(5)}${String(ms).padStart(6)} ms`;
  const named = requestId === undefined ? '' : ` (${requestId})`;
  return reason === undefined ? felt : `${felt}  ${reason}${named}`;
}

/**
 * Has an environment's canary run, and says what each step felt like. It runs again after a failure: like its alarm, this
 * fails when two runs in a row did.
 *
 * @throws Refusal for what the operator can mend, Error for a function that crashed.
 */
export async function smokeTest(invoke: InvokeFunction, say: (line: string) => void): Promise<SmokeResult> {
  const first = await run(invoke, say);
  if (first.passed) return first;
  say('The canary runs once more.');
  return run(invoke, say);
}

async function run(invoke: InvokeFunction, say: (line: string) => void): Promise<SmokeResult> {
  const { passed, steps } = z.parse(canaryResult, await invoke('canary', { task: 'check' }));
  for (const step of steps) say(lineOf(step));
  if (passed) return { passed };
  const { step = 'nothing', reason = 'No step was made.' } = steps.at(-1) ?? {};
  return { passed, reason: `"${step}" failed. ${reason}` };
}
