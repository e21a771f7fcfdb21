import * as z from 'zod/mini';
import type { InvokeFunction } from '../admin/functions.ts';

const feltStep = z.object({
  step: z.string(),
  status: z.optional(z.int()),
  ms: z.number(),
  reason: z.optional(z.string()),
  requestId: z.optional(z.string()),
});

const canaryResult = z.object({ passed: z.boolean(), steps: z.array(feltStep), apiAddress: z.string() });

const document = z.object({ info: z.object({ version: z.string() }) });

type FeltStep = z.output<typeof feltStep>;

interface SmokeTest {
  readonly invoke: InvokeFunction;
  /** Makes or mends what the canary needs, for the API at this address. */
  readonly setUp: (apiAddress: string) => Promise<'kept' | 'made'>;
  readonly say: (line: string) => void;
}

/** A step in a line: its name, the status of its response, what a caller felt, and why it failed. */
function lineOf({ step, status, ms, reason, requestId }: FeltStep): string {
  const felt = `  ${step.padEnd(12)}${String(status ?? '').padEnd(5)}${String(ms).padStart(6)} ms`;
  const named = requestId === undefined ? '' : ` (${requestId})`;
  return reason === undefined ? felt : `${felt}  ${reason}${named}`;
}

/**
 * Has an environment's canary run, and says what each step felt like and which release callers reach. After a failure the
 * canary is set up, as it has to be once in each environment, and runs again.
 *
 * @returns whether callers can do what the canary does.
 * @throws Refusal for what the operator can mend, Error for a function that crashed.
 */
export async function smokeTest({ invoke, setUp, say }: SmokeTest): Promise<boolean> {
  const run = async () => {
    const result = z.parse(canaryResult, await invoke('canary', { task: 'check' }));
    for (const step of result.steps) say(lineOf(step));
    return result;
  };
  let { passed, apiAddress } = await run();
  if (!passed) {
    const made = await setUp(apiAddress).catch((error: unknown) => {
      say(`The canary cannot be set up: ${messageOf(error)}`);
    });
    if (made === 'made') say('Made the organization, client, and webhook of the canary.');
    say('The canary runs once more.');
    ({ passed, apiAddress } = await run());
  }
  say(`The canary ${passed ? 'passed' : 'failed'}. ${await liveRelease(apiAddress)}`);
  return passed;
}

/** Which release answers at this address, as the version of its OpenAPI document says, and how its reference answers. */
async function liveRelease(apiAddress: string): Promise<string> {
  const get = (path: string) => fetch(apiAddress + path, { signal: AbortSignal.timeout(10_000) });
  try {
    const { version } = z.parse(document, await (await get('/v2/openapi.json')).json()).info;
    return `Live: ${version}, its reference at ${apiAddress}/docs: ${(await get('/docs')).status}`;
  } catch (error) {
    return `What is live cannot be read: ${messageOf(error)}`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
