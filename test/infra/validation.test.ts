import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod/mini';
import { deployedEnvironments } from '../../infra/environments.ts';
import { appOf } from './app-of.ts';

const validationReport = z.object({
  pluginReports: z.array(z.object({ violations: z.array(z.object({ ruleName: z.string() })) })),
});

// Findings of the severity "error" make the synthesis fail; the report has the warnings too.
test.each(deployedEnvironments)('%s breaks no rule of CloudFormation, CDK, or cdk-nag', (environment) => {
  process.env['CDK_VALIDATION'] = 'true';
  const app = appOf(environment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

  const { directory } = app.synth();

  const report: unknown = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  expect(z.parse(validationReport, report).pluginReports).toEqual([]);
});
