import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { ApiError, type ErrorDetails, type ErrorType } from '../../shared/contract/errors.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { createAttachableFiles } from '../../shared/file-documents/attachable.ts';
import { lambdaObjectStore } from '../../shared/file-documents/lambda-object-store.ts';
import { fileLinks } from '../../shared/file-documents/links.ts';
import { createFilingStore } from '../../shared/filings/store.ts';
import { createLicenseRequests } from '../../shared/licensing/requests.ts';
import { createRedemption } from '../../shared/one-time-links/store.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { createSimulatedRecords } from '../../shared/registry/simulated-record.ts';
import { createAnnounceFile } from './artifact-files.ts';
import { auditOf, type CommandDeps, runCommand } from './commands.ts';
import { createExecuteContract } from './contracts.ts';
import { adminEnvironment } from './environment.ts';
import { createFilingAdministration } from './filings.ts';
import { agentRecords } from './import/agent-import.ts';
import { associationRecords } from './import/association-import.ts';
import { carrierRecords } from './import/carrier-records.ts';
import { complianceConfigRecords } from './import/compliance-config-records.ts';
import { contactRecords } from './import/contact-import.ts';
import { createContactPlaces } from './import/contact-places.ts';
import { contractContainerTemplateRecords } from './import/contract-container-template-records.ts';
import { corporateRegistrationRecords } from './import/corporate-registration-records.ts';
import { downstreamEntityRecords } from './import/downstream-entity-records.ts';
import { filingRecords } from './import/filing-import.ts';
import { createImportRecords } from './import/import-records.ts';
import { marketRecords } from './import/market-records.ts';
import { policyRecords } from './import/policy-import.ts';
import { registryRecordTypes } from './import/registry-record-import.ts';
import { createOrganizationAdministration } from './organizations.ts';
import { createRedrive } from './redrive.ts';
import { createScheduledWork } from './scheduled-work.ts';
import { createSetRegistryRecord } from './simulated-registry.ts';

const environment = readEnvironment(adminEnvironment);
const logger = new Logger({ serviceName: 'admin', environment: environment.ENVIRONMENT });
const dynamo = createDynamoClient();
const objectStore = lambdaObjectStore(environment.FILES_BUCKET);
const now = () => new Date();
const organizations = createOrganizationAdministration(dynamo, environment.ORGANIZATIONS_TABLE, now);
const filingTables = {
  filings: environment.FILINGS_TABLE,
  downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
};
const agentTables = {
  agents: environment.AGENTS_TABLE,
  downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
  registryRecords: environment.REGISTRY_RECORDS_TABLE,
};
const events = createEventSteps(environment.OUTBOX_TABLE);
const licenseRequests = createLicenseRequests(dynamo, environment.LICENSING_TABLE);
const agencyTables = {
  associations: environment.ASSOCIATIONS_TABLE,
  contacts: environment.CONTACTS_TABLE,
  downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
  licensing: environment.LICENSING_TABLE,
};
const deps: CommandDeps = {
  organizations,
  filings: createFilingAdministration({
    filings: createFilingStore(dynamo, environment.FILINGS_TABLE),
    files: createAttachableFiles(dynamo, environment.FILE_DOCUMENTS_TABLE, objectStore, events),
    link: (file) => fileLinks(objectStore, file, now()),
    now,
  }),
  announceFile: createAnnounceFile(dynamo, environment.FILE_DOCUMENTS_TABLE, objectStore, now),
  moveLicenseRequest: (organizationId, licenseRequestId, status) =>
    licenseRequests.move(organizationId, licenseRequestId, status, now(), () => []),
  redeemOneTimeLink: createRedemption(dynamo, environment.ONE_TIME_LINKS_TABLE, now),
  executeContract: createExecuteContract(dynamo, environment.ASSOCIATIONS_TABLE, events, now),
  scheduledWork: createScheduledWork({
    dynamo,
    tables: {
      registryRecords: environment.REGISTRY_RECORDS_TABLE,
      agents: environment.AGENTS_TABLE,
      associations: environment.ASSOCIATIONS_TABLE,
    },
    registry: createRegistry(environment, { dynamo, now }),
    events,
    now,
    log: logger,
  }),
  events,
  importRecords: createImportRecords([
    carrierRecords(dynamo, environment.CARRIERS_TABLE, now),
    downstreamEntityRecords(dynamo, agencyTables, organizations, now),
    associationRecords(dynamo, agencyTables, organizations, now),
    contractContainerTemplateRecords(dynamo, environment.ASSOCIATIONS_TABLE, organizations, now),
    policyRecords(dynamo, environment.POLICIES_TABLE, organizations, now),
    filingRecords(dynamo, filingTables, organizations, now),
    marketRecords(dynamo, agencyTables, organizations, now),
    corporateRegistrationRecords(dynamo, agencyTables, organizations, now),
    agentRecords(dynamo, agentTables, organizations, now),
    ...registryRecordTypes(dynamo, environment.REGISTRY_RECORDS_TABLE, organizations, now),
    complianceConfigRecords(dynamo, environment.COMPLIANCE_TABLE, organizations, now),
    contactRecords(
      createContactStore(dynamo, environment.CONTACTS_TABLE),
      createContactPlaces(dynamo, agencyTables),
      organizations,
      now,
    ),
  ]),
  setRegistryRecord: createSetRegistryRecord(
    createSimulatedRecords(dynamo, environment.REGISTRY_RECORDS_TABLE),
    environment.REGISTRY_ADDRESS,
    now,
  ),
  redrive: createRedrive(createSqsClient(), environment.QUEUES, now),
};

/** What an operator's call answers: the command's result, or why it was refused. */
type AdminAnswer =
  | { readonly ok: true; readonly result: object }
  | {
      readonly ok: false;
      readonly error: {
        readonly errorType: ErrorType;
        readonly errorMessage: readonly string[];
        readonly details?: ErrorDetails;
      };
    };

/** Runs one operator command; it has no route and is invoked through IAM. Every call leaves a line in the log. */
export const handler = async (event: unknown): Promise<AdminAnswer> => {
  try {
    const result = await runCommand(event, deps);
    logger.info('operator command', { event: 'operator_command', ...auditOf(event), outcome: 'done' });
    return { ok: true, result };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      logger.error('An operator command failed.', {
        event: 'operator_command_failed',
        error: error instanceof Error ? error : new Error(String(error)),
      });
      throw error;
    }
    logger.info('operator command', {
      event: 'operator_command',
      outcome: 'refused',
      errorType: error.errorType,
    });
    return {
      ok: false,
      error: {
        errorType: error.errorType,
        errorMessage: [error.message],
        ...(error.details === undefined ? {} : { details: error.details }),
      },
    };
  }
};
