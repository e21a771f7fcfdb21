import { resolve } from 'node:path';
import { declaredVariables, type ValueName } from '#function/start.ts';
import { functionUses } from '../../infra/function-uses.ts';

/** Every function that stands in a request's way, but the one without routes. */
export const requestFunctions = [...functionUses].flatMap(([name, { routes }]) =>
  name === 'authorizer' || Object.keys(routes?.routes ?? {}).length > 0 ? [name] : [],
);

/** Of those that take only some words. */
const values: Readonly<Record<string, string>> = {
  AGENCY_APP_URL: 'https://bench.example.com',
  ALLOW_LOOPBACK_RECEIVERS: 'no',
  MALWARE_SCAN: 'no',
  REGISTRY_QUESTIONS_A_DAY: '30',
  RESPONSE_CHECK: 'refuse',
  SANDBOX: 'yes',
  SUPPORT_URL: 'https://bench.example.com',
} satisfies Partial<Record<ValueName, string>>;

/** Variables with which a function's bundle, in a folder of its name under `folder`, can be imported. */
export function startEnvironment(name: string, folder: string): Record<string, string> {
  const uses = functionUses.get(name);
  if (uses === undefined) throw new Error(`There is no function "${name}".`);
  const declared = Object.values(declaredVariables(uses)).flat();
  return {
    AWS_REGION: 'us-east-1',
    ...Object.fromEntries(declared.map(({ variable }) => [variable, values[variable] ?? 'bench'])),
    LAMBDA_TASK_ROOT: resolve(folder, name),
  };
}
