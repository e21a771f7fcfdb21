import { readFile } from 'node:fs/promises';
import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { taskFile } from '../../shared/platform/config/task-file.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createReferenceFunction } from './function.ts';
import { uses } from './uses.ts';

const context = apiContext('reference', started(uses).values);

export const handler = lambdaHandler(
  createReferenceFunction({ context, readFile: (name) => readFile(taskFile(name), 'utf8') }),
  context,
);
