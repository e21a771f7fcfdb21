// Deploys both stacks of an environment: npm run deploy -- --environment sandbox
// What follows a second `--` goes to the CDK command line: npm run deploy -- --environment dev -- --require-approval never
// The command line builds first (cdk.json), and the app refuses a name that infra/environments.ts does not have.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

function environmentAndRest() {
  try {
    const { values, positionals } = parseArgs({
      options: { environment: { type: 'string' } },
      allowPositionals: true,
    });
    return { environment: values.environment, rest: positionals };
  } catch {
    return { environment: undefined, rest: [] };
  }
}

const { environment, rest } = environmentAndRest();

if (environment === undefined) {
  process.stderr.write('Say which environment: npm run deploy -- --environment sandbox\n');
  process.exitCode = 1;
} else {
  const cdk = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--all', '--context', `environment=${environment}`];
  const { status } = spawnSync(process.execPath, [...cdk, ...rest], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
