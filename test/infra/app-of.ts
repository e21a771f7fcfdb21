import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Release } from '../../infra/deployment/release.ts';
import type { Environment, EnvironmentName } from '../../infra/environments.ts';
import { appIn, stacksIn } from './app.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'infra-test-'));
  folders.push(folder);
  return folder;
}

/** An app as `appIn` makes it, in a folder that is removed after the tests of a file. */
export const appOf = (
  environment: EnvironmentName | Environment,
  bundles: Readonly<Record<string, string>> = {},
  release?: Release,
) => appIn(newFolder(), environment, bundles, release);

/** The stacks of an environment that a test made; those that there are were synthesized already (`synthesized.ts`). */
export const stacksOf = (environment: Environment) => stacksIn(newFolder(), environment);
