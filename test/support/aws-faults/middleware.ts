import type { AwsMiddleware } from '../../../infra/local/aws/endpoint.ts';
import type { RunParts } from '../../../infra/local/local-run.ts';
import { type Faults, injectedFaults } from './faults.ts';
import { type IndexLag, laggingIndexes } from './index-lag.ts';

/** AWS calls that fail where a test says so and, with `lagOf`, indexes that lag behind their tables. */
export const awsFaults =
  (decide: Faults, lagOf?: IndexLag) =>
  (parts: RunParts): AwsMiddleware => {
    const faults = injectedFaults(decide, parts);
    if (lagOf === undefined) return faults;
    const lag = laggingIndexes(parts.dynamo, lagOf);
    return (call, next) => faults(call, (other) => lag(call, () => next(other)));
  };
