import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EnvironmentName, environments } from '../../infra/environments.ts';
import { stacksIn } from './app.ts';

/** Handed from the project's setup to its teardown, which run in one process. */
export const running: { folder?: string } = {};

/** Synthesizes every environment once for all suites of this project; CDK takes seconds in each that loads it. */
export default function start(): void {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  running.folder = folder;
  process.env['TEST_TEMPLATES'] = folder;
  for (const name of Object.keys(environments) as EnvironmentName[]) {
    const app = join(folder, name);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(stacksIn(app, name)));
    rmSync(app, { recursive: true });
  }
}
