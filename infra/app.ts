// The entry of the CDK, apart from `build-app.ts`, which tests import: this one synthesizes.
import { App } from 'aws-cdk-lib';
import { buildApp } from './build-app.ts';
import { presentCommit } from './commit.ts';
import { deployedEnvironments, environments } from './environments.ts';
import { checkRequirements } from './requirements.ts';

// The CDK passes the context (`-c environment=prod`) to every App; this one only reads it.
const environmentName: unknown = new App({ autoSynth: false }).node.tryGetContext('environment') ?? 'dev';
const name = deployedEnvironments.find((candidate) => candidate === environmentName);

if (name === undefined) {
  process.stderr.write(
    `Unknown environment "${environmentName}". Choose one of ${deployedEnvironments.join(', ')}.\n`,
  );
  process.exitCode = 1;
} else {
  const commit = presentCommit();
  const release = commit === undefined ? undefined : { commit, deployedAt: new Date().toISOString() };
  checkRequirements(buildApp(environments[name], { release }), environments[name]);
}
