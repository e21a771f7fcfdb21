import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createNotFoundFunction } from './function.ts';
import { uses } from './uses.ts';

const context = apiContext('not-found', started(uses).values);

export const handler = lambdaHandler(createNotFoundFunction({ context }), context);
