import { rmSync } from 'node:fs';
import { running } from './start.ts';

/** Removes the templates of this run. */
export default function stop(): void {
  if (running.folder !== undefined) rmSync(running.folder, { recursive: true });
}
