import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { running } from './start.ts';

/** Ends the synthesis, if it has not, and removes what it wrote. */
export default async function stop(): Promise<void> {
  const { folder, synthesis } = running;
  if (synthesis?.kill()) await once(synthesis, 'exit');
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
