import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { EnvironmentName } from '../../infra/environments.ts';
import type { Synthesized } from './variants.ts';

const resource = z.object({
  Type: z.string(),
  DeletionPolicy: z.optional(z.string()),
  UpdateReplacePolicy: z.optional(z.string()),
  UpdatePolicy: z.optional(z.unknown()),
  DependsOn: z.optional(z.array(z.string())),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
});

const output = z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.string() })) });

const template = z.object({
  Resources: z.record(z.string(), resource),
  Outputs: z._default(z.record(z.string(), output), {}),
});

const stack = z.object({
  template,
  terminationProtection: z.boolean(),
  tags: z.record(z.string(), z.string()),
  account: z.string(),
  region: z.string(),
});
const stacks = z.object({ data: stack, service: stack, watch: stack });

export type Resource = z.output<typeof resource>;

/** A template's resources by logical id. */
export interface Resources {
  readonly all: Readonly<Record<string, Resource>>;
  readonly outputs: Readonly<Record<string, z.output<typeof output>>>;
  ofType(type: string): [logicalId: string, Resource][];
}

/** Properties of every bucket: private, encrypted, and with earlier versions of its objects. */
export const privateBucketProperties = {
  PublicAccessBlockConfiguration: {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  },
  BucketEncryption: {
    ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
  },
  VersioningConfiguration: { Status: 'Enabled' },
};

const resourcesOf = ({ Resources: all, Outputs: outputs }: z.output<typeof template>): Resources => ({
  all,
  outputs,
  ofType: (type) => Object.entries(all).filter(([, { Type }]) => Type === type),
});

const written = (...path: string[]): string => join(process.env['TEST_TEMPLATES'] ?? '', ...path);

/** What `main.ts` stores under this name, once it does. */
export function stored(name: Synthesized | `${EnvironmentName}-${'data' | 'report'}`): unknown {
  const file = written(`${name}.json`);
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(file) && !existsSync(written('ended'))) Atomics.wait(never, 0, 0, 50);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The stacks of an environment. */
export function synthesized(name: Synthesized) {
  const { data, service, watch } = z.parse(stacks, stored(name));
  const read = ({ template, ...others }: z.output<typeof stack>) => ({ ...resourcesOf(template), ...others });
  return { data: read(data), service: read(service), watch: read(watch) };
}

const whole = z.object({ template: z.unknown() });

/** The whole templates of the stacks. */
export function wholeTemplates(name: Synthesized) {
  const { data, service, watch } = z.parse(
    z.object({ data: whole, service: whole, watch: whole }),
    stored(name),
  );
  return { data: data.template, service: service.template, watch: watch.template };
}
