import { tableDesigns } from '#domain/tables.ts';
import type { Release } from '../../infra/commit.ts';
import {
  type Environment,
  type EnvironmentName,
  environments,
  type RestoredTables,
} from '../../infra/environments.ts';

/** An environment as it is before an operator fills in its entry, so that no test depends on whose deployment this is. */
export function blank(name: EnvironmentName): Environment {
  const {
    account: _,
    region: _region,
    domain: _domain,
    pageAddress: _pageAddress,
    ticketAddress: _ticketAddress,
    ...rest
  }: Environment = environments[name];
  return rest;
}

const domain = {
  name: 'api.carrier-compliance.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/9f2c7e1a-0000-4000-8000-000000000000',
};

export const release = { commit: '1e6d030f3ea7', deployedAt: '2026-11-23T05:00:00.000Z' };

export const filledIn = {
  ...blank('prod'),
  account: '111122223333',
  region: 'us-east-2',
  domain,
  ticketAddress: 'tickets@carrier-compliance.com',
};

export const restoredStreamArn =
  'arn:aws:dynamodb:us-east-1:000000000000:table/restored-outbox/stream/2026-01-31T03:10:00.000';

export const restored: Environment = {
  ...blank('prod'),
  restoredTables: Object.fromEntries(
    tableDesigns.map((design) => [
      design.name,
      {
        tableName: `restored-${design.name}`,
        ...('stream' in design ? { streamArn: restoredStreamArn } : {}),
      },
    ]),
  ) as RestoredTables,
};

export interface Variant {
  readonly environment: Environment;
  readonly release?: Release;
  /** Passed as by the CDK's command line. */
  readonly context?: Readonly<Record<string, string>>;
}

/** What else is synthesized: `prod` with fields that an operator fills in, its tables restored, or rolled out at once. */
export const variants = {
  filledIn: { environment: filledIn, release },
  restored: { environment: restored },
  atOnce: { environment: blank('prod'), context: { rollout: 'at-once' } },
} satisfies Record<string, Variant>;

/** What the tests can read: `main.ts` synthesizes it. */
export type Synthesized = EnvironmentName | keyof typeof variants;
