import { App } from 'aws-cdk-lib';
import { buildApp } from './build-app.ts';
import { presentRelease } from './deployment/release.ts';
import { warnOfGaps } from './deployment/warnings.ts';
import { deployedEnvironments, environments } from './environments.ts';

// The CDK passes the context (`-c environment=prod`) to every App; this one only reads it.
const asked: unknown = new App({ autoSynth: false }).node.tryGetContext('environment') ?? 'dev';
const name = deployedEnvironments.find((candidate) => candidate === asked);

if (name === undefined) {
  process.stderr.write(`Unknown environment "${asked}". Choose one of ${deployedEnvironments.join(', ')}.\n`);
  process.exitCode = 1;
} else {
  warnOfGaps(buildApp(environments[name], { release: presentRelease() }), environments[name]);
}
