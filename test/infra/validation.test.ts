import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { deployedEnvironments } from '../../infra/environments.ts';
import { appOf } from './synthesized.ts';

test.each(deployedEnvironments)('%s breaks no rule of CDK, CloudFormation and cdk-nag', (environment) => {
  process.env['CDK_VALIDATION'] = 'true';
  const app = appOf(environment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
});
