import { by } from '../../shared/platform/dates/clock.ts';
import { auditOf, idsOf } from '../../shared/platform/operator/audit.ts';
import { operatorHandler } from '../../shared/platform/operator/handler.ts';
import { commandNames, runCommand } from './commands.ts';
import { type AdminDependencies, commandDeps } from './deps.ts';

/** Runs one operator command. */
export function createAdminFunction(dependencies: AdminDependencies) {
  const deps = commandDeps(dependencies);
  const { clocks } = dependencies.context;
  return operatorHandler(dependencies.context.logger, {
    asked: (event) => auditOf(event, commandNames),
    run: async (event) => {
      const { organizationId } = auditOf(event, commandNames);
      const result = await by(clocks, organizationId, () => runCommand(event, deps));
      // Ids of what it created, like that of a credential.
      return { result, audit: idsOf(result) };
    },
  });
}
