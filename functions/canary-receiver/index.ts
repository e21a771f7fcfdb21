import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { canaryReceiverEnvironment } from './environment.ts';
import { createCanaryReceiverFunction } from './function.ts';

export const handler = createCanaryReceiverFunction(
  functionContext('canary-receiver', readEnvironment(canaryReceiverEnvironment)),
);
