// Synthesizes everything that the suites read, in one process that loads the CDK once, into the folder that is its argument. The
// suites of the first environments need not wait for the last.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildApp, buildDataStack } from '../../infra/build-app.ts';
import type { Release } from '../../infra/commit.ts';
import {
  type Environment,
  type EnvironmentName,
  environments,
  type StackPart,
  stackName,
} from '../../infra/environments.ts';
import { blank, type Variant, variants } from './variants.ts';

const folder = process.argv[2] ?? '';
process.on('exit', () => writeFileSync(join(folder, 'ended'), ''));

// Stand-ins for the functions' bundles, so that nothing needs a build.
const assetRoot = join(folder, 'bundles');
for (const name of readdirSync('functions')) {
  mkdirSync(join(assetRoot, name), { recursive: true });
  writeFileSync(join(assetRoot, name, 'index.mjs'), '');
}

function store(name: string, value: unknown): void {
  const file = join(folder, `${name}.json`);
  writeFileSync(`${file}.part`, JSON.stringify(value));
  renameSync(`${file}.part`, file);
}

const optionsOf = (name: string, release?: Release) => ({
  assetRoot,
  outdir: join(folder, 'assemblies', name),
  release,
});

function storeStacks(name: string, environment: Environment, release?: Release): void {
  const assembly = buildApp(environment, optionsOf(name, release)).synth();
  const stack = (part: StackPart) => {
    const artifact = assembly.getStackByName(stackName(environment.name, part));
    const { tags, terminationProtection = false } = artifact;
    const { account, region } = artifact.environment;
    const template: unknown = artifact.template;
    return { template, terminationProtection, tags, account, region };
  };
  store(name, { data: stack('data'), service: stack('service'), watch: stack('watch') });
}

const names = Object.keys(environments) as EnvironmentName[];
for (const name of names) storeStacks(name, blank(name));
for (const [name, variant] of Object.entries<Variant>(variants)) {
  process.env['CDK_CONTEXT_JSON'] = JSON.stringify(variant.context ?? {});
  storeStacks(name, variant.environment, variant.release);
}
for (const name of names) {
  const { app } = buildDataStack(blank(name), optionsOf(`${name}-data`));
  store(`${name}-data`, app.synth().getStackByName(stackName(name, 'data')).template);
}

// Findings are in the reports; by themselves they end no synthesis.
process.env['CDK_CONTEXT_JSON'] = JSON.stringify({ '@aws-cdk/core:failSynthOnValidationErrors': false });
function storeReport(name: string, app: App): void {
  store(name, JSON.parse(readFileSync(join(app.synth().directory, 'validation-report.json'), 'utf8')));
}
// What sandbox has, dev or prod has too.
process.env['CDK_VALIDATION'] = 'true';
for (const name of ['dev', 'prod'] as const) {
  const app = buildApp(blank(name), optionsOf(`${name}-report`));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  storeReport(`${name}-report`, app);
}
