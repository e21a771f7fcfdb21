import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { buildApp } from '../../infra/build-app.ts';
import type { Release } from '../../infra/deployment/release.ts';
import {
  type Environment,
  type EnvironmentName,
  environments,
  type StackPart,
  stackName,
} from '../../infra/environments.ts';

// Validation takes seconds; the one test that is about it turns it on again.
process.env['CDK_VALIDATION'] = 'false';

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

/**
 * An app in a folder, whose bundles are stand-ins, empty unless given by the name of their function, so that it needs no
 * build.
 */
export function appIn(
  folder: string,
  environment: EnvironmentName | Environment,
  bundles: Readonly<Record<string, string>> = {},
  release?: Release,
): App {
  for (const name of readdirSync('functions')) {
    mkdirSync(join(folder, 'bundles', name), { recursive: true });
    writeFileSync(join(folder, 'bundles', name, 'index.mjs'), bundles[name] ?? '');
  }
  return buildApp(environmentOf(environment), {
    assetRoot: join(folder, 'bundles'),
    outdir: join(folder, 'assembly'),
    release,
  });
}

const environmentOf = (environment: EnvironmentName | Environment): Environment =>
  typeof environment === 'string' ? blank(environment) : environment;

/** What CloudFormation is handed for the stacks of an environment; the app is made in the folder. */
export function stacksIn(folder: string, environment: EnvironmentName | Environment) {
  const assembly = appIn(folder, environment).synth();
  const stack = (part: StackPart) => {
    const artifact = assembly.getStackByName(stackName(environmentOf(environment).name, part));
    const template: unknown = artifact.template;
    return { template, terminationProtection: artifact.terminationProtection === true };
  };
  return { data: stack('data'), service: stack('service'), watch: stack('watch') };
}
