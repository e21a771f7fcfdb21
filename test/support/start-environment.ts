import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { agencyEnvironment } from '../../functions/agency/environment.ts';
import { agentsEnvironment } from '../../functions/agents/environment.ts';
import { authEnvironment } from '../../functions/auth/environment.ts';
import { authorizerEnvironment } from '../../functions/authorizer/environment.ts';
import { carriersEnvironment } from '../../functions/carriers/environment.ts';
import { complianceEnvironment } from '../../functions/compliance/environment.ts';
import { contactsEnvironment } from '../../functions/contacts/environment.ts';
import { downstreamEntityAssociationsEnvironment } from '../../functions/downstream-entity-associations/environment.ts';
import { fileDocumentsEnvironment } from '../../functions/file-documents/environment.ts';
import { policiesEnvironment } from '../../functions/policies/environment.ts';
import { surplusLinesFilingsEnvironment } from '../../functions/surplus-lines-filings/environment.ts';
import { webhooksEnvironment } from '../../functions/webhooks/environment.ts';

/** The variables of the functions that stand in a request's way. */
export const requestEnvironments = {
  authorizer: authorizerEnvironment,
  auth: authEnvironment,
  policies: policiesEnvironment,
  carriers: carriersEnvironment,
  contacts: contactsEnvironment,
  'downstream-entity-associations': downstreamEntityAssociationsEnvironment,
  'file-documents': fileDocumentsEnvironment,
  'surplus-lines-filings': surplusLinesFilingsEnvironment,
  agency: agencyEnvironment,
  agents: agentsEnvironment,
  compliance: complianceEnvironment,
  webhooks: webhooksEnvironment,
};

export type RequestFunction = keyof typeof requestEnvironments;

/** Every function that stands in a request's way. */
export const requestFunctions = Object.keys(requestEnvironments) as RequestFunction[];

/** Values of which each variable takes one: a name, an address, and the words of those that know only some. */
const values = ['bench', 'https://bench.example.com', 'local', 'refuse', 'no'];

/** Variables with which a function's bundle, in a folder of its name under `folder`, can be imported. */
export function startEnvironment(name: RequestFunction, folder: string): Record<string, string> {
  const variables = Object.entries<z.ZodMiniType>(requestEnvironments[name].shape).map(
    ([variable, schema]) => [variable, values.find((value) => z.safeParse(schema, value).success)],
  );
  return {
    AWS_REGION: 'us-east-1',
    ...Object.fromEntries(variables),
    LAMBDA_TASK_ROOT: resolve(folder, name),
  };
}
