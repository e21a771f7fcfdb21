import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { unreservedConcurrency } from '../../shared/aws/limits.ts';
import { reservableFunctions } from '../capacity.ts';
import { type Environment, resourceName } from '../environments.ts';

/**
 * Whether the account has the executions that an environment reserves, counting what others and the environment itself
 * reserve already; undefined if it has, else why not. The client's account must be the environment's.
 */
export async function concurrencyFault(
  environment: Environment,
  client: LambdaClient,
): Promise<string | undefined> {
  const wanted = sum(Object.values(environment.capacity.reserved));
  if (wanted === 0) return undefined;
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  if (unreserved === undefined) return 'Lambda did not say how many executions the account has.';
  const own = sum(
    await Promise.all(
      reservableFunctions.map((name) => reservedNow(resourceName(environment.name, name), client)),
    ),
  );
  const left = unreserved + own - wanted;
  if (left >= unreservedConcurrency) return undefined;
  return (
    `${environment.name} reserves ${wanted} concurrent executions. The account has ${AccountLimit?.ConcurrentExecutions}, of ` +
    `which ${unreserved + own} are not reserved by others: ${left} would be left, and ${unreservedConcurrency} must be. ` +
    'Ask for a higher quota (Service Quotas, Lambda, "Concurrent executions"), or lower the numbers in infra/capacity.ts.'
  );
}

async function reservedNow(FunctionName: string, client: LambdaClient): Promise<number> {
  try {
    const answer = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    return answer.ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    // Not deployed yet.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
