import { KB } from '../../shared/platform/aws/limits.ts';

export interface BundleBudget {
  /** Everything of the function's folder that is code: what is loaded at its start and later. */
  readonly bytes: number;
  /** Times the import of a bundle that holds a DynamoDB client alone. */
  readonly importTime: number;
}

/** What a function may weigh by the clients of AWS that it holds: `client-dynamodb`, `client-sqs`. */
export function budgetOf(clients: readonly string[]): BundleBudget {
  if (clients.includes('client-s3')) return { bytes: 620 * KB, importTime: 2 };
  // Its protocol is XML; it is loaded when a role is first assumed.
  const more = clients.includes('client-sts') ? 20 * KB : 0;
  if (clients.length > 1) return { bytes: 440 * KB + more, importTime: 1.7 };
  return { bytes: 360 * KB, importTime: 1.5 };
}

/** The clients among the paths of a bundle's sources. */
export const clientsAmong = (sources: readonly string[]): string[] => [
  ...new Set(
    sources.flatMap((source) => /node_modules\/@aws-sdk\/(client-[a-z0-9-]+)\//.exec(source)?.[1] ?? []),
  ),
];

/** What a function may weigh more that decides whether somebody may sell: the decision is what callers buy. */
export const decisionBytes = (sources: readonly string[]): number =>
  sources.some((source) => source.endsWith('shared/domain/decision/decide.ts')) ? 20 * KB : 0;
