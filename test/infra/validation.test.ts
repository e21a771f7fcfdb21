import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod/mini';
import { build, context } from '../../cdk.json';
import { gapsOf } from '../../infra/deployment/requirements.ts';
import { warnOfGaps } from '../../infra/deployment/warnings.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { appOf } from './app-of.ts';

const validationReport = z.object({
  pluginReports: z.array(z.object({ violations: z.array(z.object({ ruleName: z.string() })) })),
});

// What sandbox has, dev or prod has too. Findings of the severity "error" make the synthesis fail; the report has the warnings.
test.each(['dev', 'prod'] as const)('%s breaks no rule of CloudFormation, CDK, or cdk-nag', (environment) => {
  process.env['CDK_VALIDATION'] = 'true';
  const app = appOf(environment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

  const { directory } = app.synth();

  const report: unknown = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  expect(z.parse(validationReport, report).pluginReports).toEqual([]);
});

test.each(deployedEnvironments)('%s: the synthesis warns of every placeholder', (name) => {
  process.env['CDK_VALIDATION'] = 'true';
  const app = new App({ context });
  new CfnResource(new Stack(app, 'stack'), 'any', { type: 'AWS::SNS::Topic' });
  warnOfGaps(app, environments[name]);

  const { directory } = app.synth();

  const report = readFileSync(join(directory, 'validation-report.json'), 'utf8');
  const gaps = gapsOf(environments[name]);
  expect(gaps.length).toBeGreaterThan(0);
  for (const { place, fault } of gaps) expect(report).toContain(`${place} ${fault}`.replaceAll('"', '\\"'));
});

test('cdk synth, diff, and deploy check types before they build', () => {
  expect(build).toMatch(/^npx tsc && /);
});
