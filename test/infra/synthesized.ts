import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { EnvironmentName } from '../../infra/environments.ts';

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

const stack = z.object({ template, terminationProtection: z.boolean() });
const stacks = z.object({ data: stack, service: stack, watch: stack });

export type Resource = z.output<typeof resource>;

/** A template's resources by logical id. */
export interface Resources {
  readonly all: Readonly<Record<string, Resource>>;
  readonly outputs: Readonly<Record<string, z.output<typeof output>>>;
  ofType(type: string): [logicalId: string, Resource][];
}

const resourcesOf = ({ Resources: all, Outputs: outputs }: z.output<typeof template>): Resources => ({
  all,
  outputs,
  ofType: (type) => Object.entries(all).filter(([, { Type }]) => Type === type),
});

/** The stacks in what `stacksIn` returned for an environment. */
export function readStacks(source: unknown) {
  const { data, service, watch } = z.parse(stacks, source);
  const read = ({ template, terminationProtection }: z.output<typeof stack>) => ({
    ...resourcesOf(template),
    terminationProtection,
  });
  return { data: read(data), service: read(service), watch: read(watch) };
}

/** What `stacksIn` returned for an environment when this run began (`start.ts`). */
export const stored = (environment: EnvironmentName): unknown =>
  JSON.parse(readFileSync(join(process.env['TEST_TEMPLATES'] ?? '', `${environment}.json`), 'utf8'));

/** The templates of an environment, as they were synthesized when this run began. */
export const synthesized = (environment: EnvironmentName) => readStacks(stored(environment));

const whole = z.object({ template: z.unknown() });

/** The whole templates of the stacks. */
export function wholeTemplates(source: unknown) {
  const { data, service, watch } = z.parse(z.object({ data: whole, service: whole, watch: whole }), source);
  return { data: data.template, service: service.template, watch: watch.template };
}

/** The whole template of an environment's data stack. */
export const dataTemplate = (environment: EnvironmentName): unknown =>
  wholeTemplates(stored(environment)).data;
