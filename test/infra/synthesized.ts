import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { buildApp } from '../../infra/build-app.ts';
import { type EnvironmentName, stackName } from '../../infra/environments.ts';

// Validation takes seconds; the one test that is about it turns it on again.
process.env['CDK_VALIDATION'] = 'false';

/** An app whose bundles are empty stand-ins, so that these tests need no build. */
export function appOf(environment: EnvironmentName): App {
  const root = mkdtempSync(join(tmpdir(), 'infra-test-'));
  for (const folder of readdirSync('functions')) {
    mkdirSync(join(root, 'bundles', folder), { recursive: true });
    writeFileSync(join(root, 'bundles', folder, 'index.mjs'), '');
  }
  return buildApp(environment, { assetRoot: join(root, 'bundles'), outdir: join(root, 'assembly') });
}

/** What CloudFormation would be handed for an environment. */
export function synthesized(environment: EnvironmentName): {
  readonly data: Template;
  readonly service: Template;
} {
  const assembly = appOf(environment).synth();
  const template = (stack: 'data' | 'service') =>
    Template.fromJSON(assembly.getStackByName(stackName(environment, stack)).template);
  return { data: template('data'), service: template('service') };
}
