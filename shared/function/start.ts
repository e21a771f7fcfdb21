// How a deployed function starts: with its variables, which follow from its `uses.ts`, and its context.
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import * as z from 'zod/mini';
import type { tables } from '#domain/tables.ts';
import { type FunctionContext, functionContext, readEnvironment } from '#platform/config/context.ts';
import { lazily } from '#platform/contract/lazily.ts';
import { jsonText } from '#platform/data/json.ts';
import {
  type FunctionUses,
  number,
  type SettingName,
  settings,
  type TableUse,
  workedQueues,
  yesOrNo,
} from './uses.ts';

/** Export `<name>Function` of `functions/<name>/function.ts`; the build writes the entry, which starts it. */
interface LambdaFunction<Uses extends FunctionUses, Handler> {
  readonly uses: Uses;
  readonly handler: (started: FunctionStart<Uses>) => Handler;
}

/** Milliseconds to connect to an address before the next one of the same name is tried; Node's 250 do not outlast a lost packet. */
const connectionAttempt = 4_000;

/**
 * Starts a deployed function, once a process.
 *
 * @param name of the function; it marks its log lines.
 * @returns its handler.
 * @throws Error with the names of variables that are missing or malformed.
 */
export function start<const Uses extends FunctionUses, Handler>(
  name: string,
  { uses, handler }: LambdaFunction<Uses, Handler>,
): Handler {
  setDefaultAutoSelectFamilyAttemptTimeout(connectionAttempt);
  const variables = readVariables(uses);
  return handler({ ...variables, context: functionContext(name, variables.values) });
}

/** Start of a function: its variables and its context. */
export interface FunctionStart<Uses extends FunctionUses> extends Variables<Uses> {
  readonly context: FunctionContext;
}

/** Values that a function reads from its variables. */
interface Variables<Uses extends FunctionUses> {
  /** Names of its tables, by their keys. */
  readonly tables: { readonly [Key in keyof Uses['tables']]: string };
  /** Addresses of the queues to which it sends. */
  readonly queues: { readonly [Name in NamesIn<Uses['sends']>]: string };
  /** ARNs of the functions that it invokes. */
  readonly functions: { readonly [Name in NamesIn<Uses['invokes']>]: string };
  readonly values: Values<Uses> & CommonValues;
}

/** Values that code common to all functions reads. */
interface CommonValues {
  readonly ENVIRONMENT: string;
  readonly RESPONSE_CHECK?: 'refuse' | 'report';
  readonly ANSWERS_BUCKET?: string;
}

type NamesIn<List> = List extends readonly (infer Name extends string)[] ? Name : never;

/**
 * Reads a function's variables, once, when it starts.
 *
 * @throws Error with the names of variables that are missing or malformed.
 */
export function readVariables<const Uses extends FunctionUses>(uses: Uses): Variables<Uses> {
  const declarations = declaredVariables(uses);
  const declaredValues = Object.values(declarations).flat();
  const variables = readEnvironment(
    z.object(Object.fromEntries(declaredValues.map(({ variable, schema }) => [variable, schema()]))),
  );
  // The types say of these what the schemas check.
  return {
    tables: Object.fromEntries(declarations.tables.map(({ key, variable }) => [key, variables[variable]])),
    queues: Object.fromEntries(declarations.queues.map(({ name, variable }) => [name, variables[variable]])),
    functions: Object.fromEntries(
      declarations.functions.map(({ name, variable }) => [name, variables[variable]]),
    ),
    values: variables,
  } as unknown as Variables<Uses>;
}

/**
 * Every variable of a function, with its schema: the names of its tables (`REGISTRY_RECORDS_TABLE`), the addresses of the
 * queues to which it sends (`REGISTRY_SYNC_QUEUE_URL`), the ARNs of the functions that it invokes (`LICENSE_SWEEP_FUNCTION`), and
 * the others.
 */
export function declaredVariables(uses: FunctionUses) {
  const tableUses = Object.entries(uses.tables ?? {}) as [keyof typeof tables, TableUse][];
  return {
    tables: tableUses.map(([key, use]) => ({ variable: `${inCapitals(key)}_TABLE`, schema: text, key, use })),
    queues: variablesNamed(uses.sends, 'QUEUE_URL'),
    functions: variablesNamed(uses.invokes, 'FUNCTION'),
    values: Object.entries(schemasOf(uses)).map(([variable, schema]) => ({
      variable: variable as ValueName,
      schema,
    })),
  };
}

/** A variable for each of what a function names. */
const variablesNamed = <Name extends string>(names: readonly Name[] = [], suffix: string) =>
  names.map((name) => ({ variable: `${inCapitals(name)}_${suffix}`, schema: text, name }));

const text = lazily(() => z.string());

const inCapitals = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll('-', '_')
    .toUpperCase();

/** The variables that a use brings, beside those of tables, queues, and functions; schemas are made when a function starts. */
const variablesByUse = {
  routes: {
    /** Handling of a response that breaks its own schema: `refuse` responds with 500, `report` logs it and sends it. */
    RESPONSE_CHECK: () => z.enum(['refuse', 'report']),
  },
  files: {
    FILES_BUCKET: () => z.string(),
    /** Whether files are scanned for malware, and served only when they are clean. */
    MALWARE_SCAN: yesOrNo,
  },
  answers: { ANSWERS_BUCKET: text },
  consumes: {
    /** Dead-letter queue of the first queue: an unreadable message does not say which one it came from. */
    DEAD_LETTER_QUEUE_URL: () => z.string(),
    /** Deliveries of a message by the queue. */
    MAX_RECEIVE_COUNT: number,
  },
  publishes: { EVENT_BUS_NAME: () => z.string() },
  registry: {
    REGISTRY_ADDRESS: settings.REGISTRY_ADDRESS,
    /** ARN of the registry's secret; with the simulator, the table of its records that operators set. */
    REGISTRY_ACCESS: () => z.string(),
  },
  /** The KMS key that encrypts webhooks' secrets. */
  webhookKey: { WEBHOOK_KEY_ARN: () => z.string() },
  receiptKeys: {
    /** The KMS keys of receipts, of which the first signs. */
    RECEIPT_KEY_ARNS: () =>
      z.pipe(
        z.string(),
        z.pipe(
          z.transform((text: string) => text.split(',')),
          z.tuple([z.string()], z.string()),
        ),
      ),
  },
  signingSecret: { SIGNING_SECRET_ARN: () => z.string() },
  linkSecret: { LINK_SECRET_ARN: () => z.string() },
  /** Secret with the canary's API client; see `functions/canary/function.ts`. */
  canarySecret: { CANARY_SECRET_ARN: () => z.string() },
  redrives: {
    /**
     * Addresses of the environment's queues, which can be redriven, and of their dead-letter queues, by name: JSON, since a queue's address is
     * known at deployment only.
     */
    QUEUES: () =>
      z.pipe(
        jsonText,
        z.partialRecord(z.enum(workedQueues), z.object({ queue: z.string(), dead: z.string() })),
      ),
  },
};

const variablesOfAll = {
  /** Name of the deployment; the prefix of every requestId. `infra/environments.ts` has the only list of them. */
  ENVIRONMENT: () => z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
};

type Schemas = Readonly<Record<string, () => z.ZodMiniType>>;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  variables: infer All,
) => void
  ? All
  : never;

type SchemasOf<Uses extends FunctionUses> = typeof variablesOfAll &
  Pick<typeof settings, NamesIn<Uses['settings']> & SettingName> &
  Intersection<(typeof variablesByUse)[keyof Uses & keyof typeof variablesByUse]>;

/** Variables beside those of tables, queues, and functions, by their names. */
export type Values<Uses extends FunctionUses> = {
  readonly [Name in keyof SchemasOf<Uses>]: SchemasOf<Uses>[Name] extends () => infer Schema
    ? z.output<Schema & z.core.$ZodType>
    : never;
};

/** Every variable but those of tables, queues, and functions. */
export type ValueName =
  | keyof typeof variablesOfAll
  | SettingName
  | {
      [Use in keyof typeof variablesByUse]: keyof (typeof variablesByUse)[Use];
    }[keyof typeof variablesByUse];

function schemasOf(uses: FunctionUses): Schemas {
  const usedVariables = Object.entries(variablesByUse).filter(
    ([name]) => uses[name as keyof typeof variablesByUse] !== undefined,
  );
  const settingSchemas = (uses.settings ?? []).map((name) => [name, settings[name]] as const);
  return Object.assign(
    {},
    variablesOfAll,
    ...usedVariables.map(([, schemas]) => schemas),
    Object.fromEntries(settingSchemas),
  );
}
