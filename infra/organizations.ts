// `npm run organizations -- export --environment <name> > <file>` and `… import --environment <name> < <file>`: organizations and
// credentials as NDJSON, to be kept beyond the account. Exits with 1 if it refuses.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deployedEnvironments, type Environment, environments } from './environments.ts';
import { Refusal, runTool } from './operator-tool.ts';
import { exportOrganizations, importOrganizations } from './restore/organizations.ts';
import { tablePlans } from './restore/plan.ts';
import { readAccount, sourceOf } from './restore/sources.ts';

const usage = `Usage: npm run --silent organizations -- export|import --environment <${deployedEnvironments.join('|')}> [--table <name in AWS>], with the file on standard output or input`;

/** Name of the table that the environment uses, or that the operator chose. */
async function tableOf(environment: Environment, client: DynamoDBClient, chosen?: string): Promise<string> {
  const plan = tablePlans(environment, new Date()).find(({ name }) => name === 'organizations');
  if (plan === undefined) throw new Error('The data stack has no table of organizations.');
  const { tables } = await readAccount(client);
  const source = sourceOf(plan, { tables, deleted: [] }, chosen);
  if (typeof source === 'string') throw new Refusal(source);
  return source.tableName;
}

// `npm run deploy` validates the template; here it is only read.
process.env['CDK_VALIDATION'] = 'false';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { environment: { type: 'string' }, table: { type: 'string' } },
    allowPositionals: true,
  });
  const name = deployedEnvironments.find((candidate) => candidate === values.environment);
  const [command, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new Refusal(usage);
  const environment: Environment = environments[name];
  const client = new DynamoDBClient(environment.region === undefined ? {} : { region: environment.region });
  if (command === 'export') {
    for await (const line of exportOrganizations(client, await tableOf(environment, client, values.table))) {
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
    }
  } else if (command === 'import') {
    const lines = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
    const table = await tableOf(environment, client, values.table);
    const { imported, present } = await importOrganizations(client, table, lines);
    process.stderr.write(`${imported} records were imported into ${table}; ${present} were there.\n`);
  } else {
    throw new Refusal(usage);
  }
}

runTool(usage, main);
