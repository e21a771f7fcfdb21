import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Release } from './commit.ts';
import { createBudget } from './constructs/alarm.ts';
import { addFirewall } from './constructs/firewall.ts';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { createFlows, createFunctions } from './service/functions.ts';
import { createRollback } from './service/rollback.ts';

interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly release: Release | undefined;
}

/** The functions that write events, along with the changes that cause them. */
const emitters = [
  'admin',
  'compliance',
  'compliance-changes',
  'downstream-entity-associations',
  'file-documents',
  'import',
  'license-sweep',
  'link-redemption',
  'registry-reconciliation',
  'registry-sync',
  'sandbox-nightly-run',
  'surplus-lines-filings',
  'webhook-delivery',
];

/**
 * Everything that can be rebuilt: gateway > authorizer > one function per route group > data; outbox > publisher > bus >
 * queues > workers; schedules, operator functions, secret rotation, and what rolls a release back.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { environment, data, release } = props;
    // As in the README's diagram. The functions declare the same, and the synthesis fails where they do not.
    const publishers = ['event-publisher', 'imported-event-publisher'];
    const wakers = ['webhook-delivery', 'webhook-fanout', 'webhooks'];
    const queues = createFlows(this, environment, {
      outbox: { from: emitters, to: publishers.join(' and ') },
      events: { from: publishers },
      queues: {
        'webhook-fanout': { from: ['events'], to: 'webhook-fanout' },
        'webhook-fanout-imports': { from: ['events'], to: 'webhook-fanout' },
        'deliveries-healthy': { from: wakers, to: 'webhook-delivery' },
        'deliveries-failing': { from: wakers, to: 'webhook-delivery' },
        'compliance-changes': { from: ['events', 'compliance-changes'], to: 'compliance-changes' },
        'compliance-changes-imports': { from: ['events', 'compliance-changes'], to: 'compliance-changes' },
        'registry-sync': { from: ['downstream-entity-associations'], to: 'registry-sync' },
        // Their schedules have them queue their own jobs.
        'registry-reconciliation': { from: ['registry-reconciliation'], to: 'registry-reconciliation' },
        'license-sweep': { from: ['license-sweep'], to: 'license-sweep' },
        'sandbox-nightly-run': { from: ['sandbox'], to: 'sandbox-nightly-run' },
        'agency-moves': { from: ['import'], to: 'agency-moves' },
      },
      invokes: { admin: ['license-sweep', 'registry-reconciliation', 'link-redemption'] },
    });
    const { gateway, api, canary } = createFunctions({ scope: this, deployment: environment, data, queues });
    if (environment.firewall) {
      addFirewall(new Construct(this, 'Firewall'), gateway.api.deploymentStage, environment);
    }
    createRollback(this, environment, { functions: api, canary });
    createBudget(this, environment);
    if (release === undefined) return;
    new CfnOutput(this, 'Commit', { value: release.commit, description: 'The commit that is live.' });
    new CfnOutput(this, 'DeployedAt', { value: release.deployedAt, description: 'Since when it is.' });
  }
}
