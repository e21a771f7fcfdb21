// `npm run restore -- --environment <name> --to <time> [--only <table>] [--source <table>=<name>]`: restores the tables of an
// environment to one time under new names, and prints what to put into `infra/environments.ts`. Exits with 1 if it refuses.

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type TableName, tableDesigns } from '#domain/tables.ts';
import { deployedEnvironments, type Environment, environments } from './environments.ts';
import { Refusal, runTool, WrongArguments } from './operator-tool.ts';
import { type RestoreOptions, restoreTables, tablePlans } from './restore/restore.ts';

const usage = `Usage: npm run restore -- --environment <${deployedEnvironments.join('|')}> --to <2026-01-31T02:59:00Z> [--only <table>]... [--source <table>=<name in AWS>]...`;

const wholeSecond = z.iso.datetime({ precision: 0 });

function tableNamed(givenName: string): TableName {
  const design = tableDesigns.find(({ name }) => name === givenName);
  if (design !== undefined) return design.name;
  throw new Refusal(
    `There is no table "${givenName}": they are ${tableDesigns.map(({ name }) => name).join(', ')}.`,
  );
}

function readArguments(): RestoreOptions & { readonly environment: Environment } {
  const { values } = parseArgs({
    options: {
      environment: { type: 'string' },
      to: { type: 'string' },
      only: { type: 'string', multiple: true },
      source: { type: 'string', multiple: true, default: [] },
    },
  });
  const name = deployedEnvironments.find((candidate) => candidate === values.environment);
  const to = z.safeParse(wholeSecond, values.to);
  if (name === undefined) {
    throw new WrongArguments(`There is no environment "${values.environment ?? ''}" in AWS.`);
  }
  if (!to.success) {
    throw new WrongArguments(`--to must be a time in whole seconds of UTC, and is "${values.to ?? ''}".`);
  }
  const sources = values.source.map((text) => {
    const [table = '', physicalName = ''] = text.split('=');
    return [tableNamed(table), physicalName] as const;
  });
  const environment: Environment = environments[name];
  return {
    environment,
    plans: tablePlans(environment, new Date(to.data)),
    to: new Date(to.data),
    sources: Object.fromEntries(sources),
    ...(values.only === undefined ? {} : { only: values.only.map(tableNamed) }),
  };
}

// The deployment validates the template; here it is only read.
process.env['CDK_VALIDATION'] = 'false';

async function main(): Promise<void> {
  const options = readArguments();
  const { region, name, restoredTables: before } = options.environment;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const { restoredTables, moveBefore } = await restoreTables(options, {
    client: new DynamoDBClient(region === undefined ? {} : { region }),
    say,
    now: () => new Date(),
    wait: () => pause(10_000),
  });
  say(
    `Put this into the entry ${name} of infra/environments.ts, and go on with the runbook, "Restoring tables":`,
  );
  process.stdout.write(`restoredTables: ${JSON.stringify({ ...before, ...restoredTables }, null, 2)},\n`);
  if (moveBefore !== undefined) say(`Deploy before ${moveBefore.toISOString()}, or run this again first.`);
}

runTool(usage, main);
