import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { unreservedConcurrency } from '../../shared/platform/aws/limits.ts';
import { type Environment, resourceName } from '../environments.ts';
import { functionUses } from '../function-uses.ts';

/**
 * Checks that the account has the concurrent executions that an environment reserves, in addition to what is already
 * reserved. The client must use the environment's account.
 *
 * @returns why the account does not have enough; undefined if it does.
 */
export async function concurrencyFault(
  environment: Environment,
  client: LambdaClient,
): Promise<string | undefined> {
  const wanted = sum(Object.values(environment.capacity.reserved));
  if (wanted === 0) return undefined;
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  if (unreserved === undefined) return 'Lambda did not report the concurrent executions of the account.';
  const own = sum(
    await Promise.all(
      [...functionUses.keys()].map((name) => reservedNow(resourceName(environment.name, name), client)),
    ),
  );
  const left = unreserved + own - wanted;
  if (left >= unreservedConcurrency) return undefined;
  return (
    `${environment.name} reserves ${wanted} concurrent executions. The account has ${AccountLimit?.ConcurrentExecutions}, of ` +
    `which ${unreserved + own} are not reserved by others: ${left} would be left, and Lambda requires ${unreservedConcurrency}. ` +
    'Request a higher quota (Service Quotas, Lambda, "Concurrent executions"), or lower the numbers in infra/capacity.ts.'
  );
}

async function reservedNow(FunctionName: string, client: LambdaClient): Promise<number> {
  try {
    const response = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    return response.ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    // Not deployed yet.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
