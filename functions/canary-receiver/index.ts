import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createCanaryReceiverFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = createCanaryReceiverFunction(functionContext('canary-receiver', started(uses).values));
