import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of the tests of a file, or of a `describe`: the path of what is in it by its names, while they run. */
export function temporaryFolder(prefix: string): (...names: readonly string[]) => string {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), prefix));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
}
