import type { Construct } from 'constructs';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';

/** What every part of the service stack needs. */
export interface ServiceContext {
  readonly scope: Construct;
  readonly deployment: Environment;
  readonly data: DataStack;
}
