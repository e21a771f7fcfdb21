import { randomUUID } from 'node:crypto';
import { createEventItems } from '#domain/events/outbox.ts';
import { eventFunction } from '#function/function.ts';
import { createOrganizations } from '#platform/identity/organizations.ts';
import { auditOf, idsOf, operatorHandler } from '#platform/operator/handler.ts';
import { createSendMessages } from '#platform/queue/send.ts';
import { parseInput } from '#platform/request/validation.ts';
import { type CommandOutcome, commandNames, createCommands, isCommand } from './commands.ts';
import { policyImport } from './policy/import.ts';
import {
  createImportRecords,
  type ImportOutcome,
  type ImportRun,
  importChunk,
  momentOfFile,
} from './run/import-records.ts';
import { agentImport } from './types/agents.ts';
import { associationImport, contractContainerTemplateImport } from './types/associations.ts';
import { carrierImport } from './types/carriers.ts';
import { classKindImport, complianceConfigImport } from './types/compliance-configs.ts';
import { contactImport } from './types/contacts.ts';
import { downstreamEntityImport } from './types/downstream-entities.ts';
import { filingImport } from './types/filings.ts';
import { corporateRegistrationImport, marketImport } from './types/own-entities.ts';
import {
  appointmentImport,
  licenseImport,
  registryReportImport,
  regulatoryActionImport,
} from './types/registry-records.ts';
import { uses } from './uses.ts';

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
  registryReportImport,
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
export const importFunction = eventFunction({
  uses,
  resources: ({ queues }) => ({ sendMoves: createSendMessages(queues['agency-moves']) }),
  compose({ tables, sendMoves, context: { logger, now } }) {
    const organizations = createOrganizations(tables.organizations);
    const events = createEventItems(tables.outbox.items, { areImported: true });
    const dependencies = { tables, organizations, now, sendMoves };
    const runCommand = createCommands(dependencies);

    return operatorHandler<ImportOutcome | CommandOutcome['result']>(logger, {
      auditOf: (event) =>
        isCommand(event) ? auditOf(event, commandNames) : { command: 'import', ...idsOf(event) },
      run: async (event) => {
        if (isCommand(event)) return await runCommand(event);
        const {
          emitEvents,
          askedAt,
          commandId = randomUUID(),
          commandAt = now(),
          ...chunk
        } = parseInput(importChunk, event);
        const isSilent = emitEvents !== true;
        const run: ImportRun = {
          command: {
            id: commandId,
            at: momentOfFile(askedAt, commandAt).toISOString(),
            recordedAt: commandAt.toISOString(),
          },
          events: isSilent ? () => [] : events,
          isSilent,
          recordedLicenses: new Map(),
          log: logger,
        };
        const importRecords = createImportRecords(
          imports.map((importOf) => importOf({ ...dependencies, ...run })),
        );
        const result = await importRecords(chunk, run.command);
        const { imported, importedByType, rejected } = result;
        const { firstLine } = chunk;
        const audit = { firstLine, imported, importedByType, rejected: rejected.length };
        return { result, audit };
      },
    });
  },
});
