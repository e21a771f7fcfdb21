import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { notFoundEnvironment } from './environment.ts';
import { createNotFoundFunction } from './function.ts';

const context = apiContext('not-found', readEnvironment(notFoundEnvironment));

export const handler = lambdaHandler(createNotFoundFunction({ context }), context);
