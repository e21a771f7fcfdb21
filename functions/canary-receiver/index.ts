import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { canaryReceiverEnvironment } from './environment.ts';
import { createCanaryReceiverFunction } from './function.ts';

export const handler = createCanaryReceiverFunction(
  functionContext('canary-receiver', readEnvironment(canaryReceiverEnvironment)),
);
