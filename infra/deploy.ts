// `npm run deploy -- --environment <name> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`: deploys the stacks of an
// environment after a series of checks. Exits with 1 if a check or a step fails.
import { deployAs, usage } from './deployment/command.ts';
import { runTool } from './operator-tool.ts';

runTool(usage, () => deployAs(process.argv.slice(2)));
