import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Handed from the project's setup to its teardown, which run in one process. */
export const running: { folder?: string; synthesis?: ChildProcess } = {};

/** Begins to synthesize what the suites of this project read (`main.ts`); each waits for what it reads. */
export default function start(): void {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  process.env['TEST_TEMPLATES'] = folder;
  running.folder = folder;
  // Validation takes seconds, of suites with stacks of their own too; `main.ts` turns it on again for what is about it.
  process.env['CDK_VALIDATION'] = 'false';
  running.synthesis = spawn(
    process.execPath,
    [...process.execArgv, 'test/support/run-built.mjs', 'infra', folder],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
}
