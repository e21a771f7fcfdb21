import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { buildApp } from '../../infra/build-app.ts';
import { type Environment, type EnvironmentName, environments, stackName } from '../../infra/environments.ts';

// Validation takes seconds; the one test that is about it turns it on again.
process.env['CDK_VALIDATION'] = 'false';

const resource = z.object({
  Type: z.string(),
  DeletionPolicy: z.optional(z.string()),
  UpdateReplacePolicy: z.optional(z.string()),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
});

const output = z.object({ Value: z.unknown() });

const template = z.object({
  Resources: z.record(z.string(), resource),
  Outputs: z._default(z.record(z.string(), output), {}),
});

export type Resource = z.output<typeof resource>;

/** A template's resources by logical id. */
export interface Resources {
  readonly all: Readonly<Record<string, Resource>>;
  readonly outputs: Readonly<Record<string, z.output<typeof output>>>;
  ofType(type: string): [logicalId: string, Resource][];
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** An app whose bundles are stand-ins, empty unless given by the name of their function, so that these tests need no build. */
export function appOf(
  environment: EnvironmentName | Environment,
  bundles: Readonly<Record<string, string>> = {},
): App {
  const folder = mkdtempSync(join(tmpdir(), 'infra-test-'));
  folders.push(folder);
  for (const name of readdirSync('functions')) {
    mkdirSync(join(folder, 'bundles', name), { recursive: true });
    writeFileSync(join(folder, 'bundles', name, 'index.mjs'), bundles[name] ?? '');
  }
  return buildApp(environmentOf(environment), {
    assetRoot: join(folder, 'bundles'),
    outdir: join(folder, 'assembly'),
  });
}

export const resourcesOf = (source: unknown): Resources => {
  const { Resources: all, Outputs: outputs } = z.parse(template, source);
  return { all, outputs, ofType: (type) => Object.entries(all).filter(([, { Type }]) => Type === type) };
};

/** An environment as it is before an operator fills in its entry, so that no test depends on whose deployment this is. */
export function blank(name: EnvironmentName): Environment {
  const {
    account: _,
    region: _region,
    domain: _domain,
    alarmAddress: _alarmAddress,
    ...rest
  }: Environment = environments[name];
  return rest;
}

const environmentOf = (environment: EnvironmentName | Environment): Environment =>
  typeof environment === 'string' ? blank(environment) : environment;

/** What CloudFormation is handed for an environment: one of those that there are, or one that a test made. */
export function synthesized(environment: EnvironmentName | Environment) {
  const assembly = appOf(environment).synth();
  const stack = (name: 'data' | 'service') => {
    const artifact = assembly.getStackByName(stackName(environmentOf(environment).name, name));
    return {
      ...resourcesOf(artifact.template),
      terminationProtection: artifact.terminationProtection === true,
    };
  };
  return { data: stack('data'), service: stack('service') };
}
