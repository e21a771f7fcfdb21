import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../shared/domain/dependencies.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { createReleases } from '../../shared/domain/events/releases.ts';
import { createOrganizations } from '../../shared/platform/identity/organizations.ts';
import { auditOf, idsOf } from '../../shared/platform/operator/audit.ts';
import { operatorHandler } from '../../shared/platform/operator/handler.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { agentImport } from './agent/import.ts';
import { associationImport } from './association/import.ts';
import { carrierImport } from './carrier.ts';
import { classKindImport } from './class-kind.ts';
import { type CommandOutcome, commandNames, createCommands, isCommand } from './commands.ts';
import { createCompleteImport } from './complete.ts';
import { complianceConfigImport } from './compliance-config.ts';
import { contactImport } from './contact/import.ts';
import { contractContainerTemplateImport } from './contract-container-template.ts';
import { corporateRegistrationImport } from './corporate-registration.ts';
import { downstreamEntityImport } from './downstream-entity/import.ts';
import { filingImport } from './filing/import.ts';
import { createImportRecords, type ImportOutcome, importChunk } from './import-records.ts';
import type { ImportRun } from './import-type.ts';
import { marketImport } from './market.ts';
import { policyImport } from './policy/import.ts';
import { appointmentImport, licenseImport, regulatoryActionImport } from './registry-records.ts';
import { createRepairItem, repairTimes } from './repair.ts';
import type { uses } from './uses.ts';

/** The types that can be imported, in the order of import: those that others refer to come first. */
const imports = [
  carrierImport,
  downstreamEntityImport,
  associationImport,
  contractContainerTemplateImport,
  agentImport,
  classKindImport,
  licenseImport,
  appointmentImport,
  regulatoryActionImport,
  complianceConfigImport,
  policyImport,
  filingImport,
  marketImport,
  corporateRegistrationImport,
  contactImport,
];

/** Tables of the types that can be imported, and those that every import needs. */
export type ImportTable = keyof (typeof uses)['tables'];

/** Imports a chunk of an operator's file of records, or runs a command about what was imported. */
export function createImportFunction({ tables, context: { logger, now } }: Dependencies<typeof uses>) {
  const organizations = createOrganizations(tables.organizations);
  const events = createEventItems(tables.outbox.items, { deferred: true });
  const releases = createReleases(tables.outbox);
  const dependencies = { tables, organizations, now };
  const repairItem = createRepairItem(tables, now);
  const runCommand = createCommands({ ...dependencies, repairItem });
  return operatorHandler<ImportOutcome | CommandOutcome['result']>(logger, {
    asked: (event) =>
      isCommand(event) ? auditOf(event, commandNames) : { command: 'import', ...idsOf(event) },
    run: async (event) => {
      let hasEvents = false;
      const emitting: typeof events = (drafts, at) => {
        hasEvents ||= drafts.length > 0;
        return events(drafts, at);
      };
      if (isCommand(event)) {
        const completeImport = createCompleteImport({ ...dependencies, events: emitting });
        const outcome = await runCommand(event, completeImport);
        if (hasEvents) await releases.ask(now());
        return outcome;
      }
      const {
        emitEvents,
        commandId = randomUUID(),
        commandAt = now(),
        ...chunk
      } = parseInput(importChunk, event);
      const isSilent = emitEvents !== true;
      const command = { commandId, commandAt: commandAt.toISOString(), by: 'import' } as const;
      const run: ImportRun = { command, events: isSilent ? () => [] : emitting, isSilent };
      const importRecords = createImportRecords(
        imports.map((importOf) => importOf({ ...dependencies, ...run })),
        (error) => repairTimes(error, repairItem, command.commandAt),
      );
      const { outcome: result, importedByType } = await importRecords(chunk, command);
      if (hasEvents) await releases.ask(now());
      const { imported, rejected } = result;
      const audit = { firstLine: chunk.firstLine, imported, importedByType, rejected: rejected.length };
      return { result, audit };
    },
  });
}
