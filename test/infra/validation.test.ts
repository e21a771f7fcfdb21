import * as z from 'zod/mini';
import { build } from '../../cdk.json';
import { stored } from './synthesized.ts';

const report = z.object({
  pluginReports: z.array(z.object({ violations: z.array(z.object({ description: z.string() })) })),
});
const findings = (name: Parameters<typeof stored>[0]) => z.parse(report, stored(name)).pluginReports;

test.each(['dev', 'prod'] as const)('%s breaks no rule of CloudFormation, CDK, or cdk-nag', (environment) => {
  expect(findings(`${environment}-report`)).toEqual([]);
});

test('cdk synth, diff, and deploy check types before they build', () => {
  expect(build).toMatch(/^npx tsc && /);
});
