// Apart from `build-app.ts`, so that the build, which needs the commit alone, does not load the CDK.
import { execFileSync } from 'node:child_process';

/** Deployed code, and since when. */
export interface Release {
  /** `1e6d030f3ea7`, with `-dirty` at its end if files differed from the commit. */
  readonly commit: string;
  /** ISO time of the synthesis, minutes before callers have it. */
  readonly deployedAt: string;
}

/** The commit that is checked out; undefined where git knows of none. */
export function presentCommit(): string | undefined {
  try {
    const describeArguments = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
    return execFileSync('git', describeArguments, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
