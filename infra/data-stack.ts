import { Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { agentsTable } from '../shared/domain/agents/table.ts';
import { associationsTable } from '../shared/domain/associations/table.ts';
import { carriersTable } from '../shared/domain/carriers/table.ts';
import { complianceTable } from '../shared/domain/compliance/table.ts';
import { contactsTable } from '../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../shared/domain/downstream-entities/table.ts';
import { outboxTable } from '../shared/domain/events/table.ts';
import { fileDocumentsTable } from '../shared/domain/file-documents/table.ts';
import { filingsTable } from '../shared/domain/filings/table.ts';
import { licensingTable } from '../shared/domain/licensing/table.ts';
import { oneTimeLinksTable } from '../shared/domain/one-time-links/table.ts';
import { policiesTable } from '../shared/domain/policies/table.ts';
import { registryRecordsTable } from '../shared/domain/registry-records/table.ts';
import { webhooksTable } from '../shared/domain/webhooks/table.ts';
import { organizationsTable } from '../shared/platform/identity/table.ts';
import { idempotencyTable, rateCountersTable } from '../shared/platform/request/tables.ts';
import { AuditTrail } from './constructs/audit-trail.ts';
import type { Binding } from './constructs/binding.ts';
import { EncryptionKey } from './constructs/encryption-key.ts';
import { FilesBucket } from './constructs/files-bucket.ts';
import { Registry } from './constructs/registry.ts';
import { SigningSecret } from './constructs/signing-secret.ts';
import { storedSecret } from './constructs/stored-secret.ts';
import { Table } from './constructs/table.ts';
import type { Environment } from './environments.ts';

interface DataStackProps extends StackProps {
  readonly environment: Environment;
}

/** Everything that must never be lost. The service stack can be deleted and deployed again without losing data. */
export class DataStack extends Stack {
  readonly organizations: Table<typeof organizationsTable>;
  readonly policies: Table<typeof policiesTable>;
  readonly fileDocuments: Table<typeof fileDocumentsTable>;
  readonly filings: Table<typeof filingsTable>;
  readonly carriers: Table<typeof carriersTable>;
  readonly downstreamEntities: Table<typeof downstreamEntitiesTable>;
  readonly associations: Table<typeof associationsTable>;
  readonly agents: Table<typeof agentsTable>;
  readonly contacts: Table<typeof contactsTable>;
  readonly registryRecords: Table<typeof registryRecordsTable>;
  readonly compliance: Table<typeof complianceTable>;
  readonly licensing: Table<typeof licensingTable>;
  readonly webhooks: Table<typeof webhooksTable>;
  readonly oneTimeLinks: Table<typeof oneTimeLinksTable>;
  readonly outbox: Table<typeof outboxTable>;
  readonly idempotency: Table<typeof idempotencyTable>;
  readonly rateCounters: Table<typeof rateCountersTable>;
  readonly files: FilesBucket;
  readonly signingSecret: SigningSecret;
  /** Encrypts webhooks' secrets, which are shown once and then only sign. */
  readonly webhookKey: EncryptionKey;
  /** Includes the registry's key, which a deployment could not recreate. */
  readonly registry: Registry;
  /** Credentials of the canary, beside the organization that they belong to. */
  readonly canarySecret: Binding;
  /** Who called the operators' functions, as evidence. */
  readonly auditTrail: AuditTrail;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: props.environment.keepsData });
    const { environment } = props;

    this.organizations = new Table(this, organizationsTable, environment);
    this.policies = new Table(this, policiesTable, environment);
    this.fileDocuments = new Table(this, fileDocumentsTable, environment);
    this.filings = new Table(this, filingsTable, environment);
    this.carriers = new Table(this, carriersTable, environment);
    this.downstreamEntities = new Table(this, downstreamEntitiesTable, environment);
    this.associations = new Table(this, associationsTable, environment);
    this.agents = new Table(this, agentsTable, environment);
    this.contacts = new Table(this, contactsTable, environment);
    this.registryRecords = new Table(this, registryRecordsTable, environment);
    this.compliance = new Table(this, complianceTable, environment);
    this.licensing = new Table(this, licensingTable, environment);
    this.webhooks = new Table(this, webhooksTable, environment);
    this.oneTimeLinks = new Table(this, oneTimeLinksTable, environment);
    this.outbox = new Table(this, outboxTable, environment);
    this.idempotency = new Table(this, idempotencyTable, environment);
    this.rateCounters = new Table(this, rateCountersTable, environment);
    this.files = new FilesBucket(this, 'files', environment);
    this.signingSecret = new SigningSecret(this, 'signing-secret', environment);
    this.webhookKey = new EncryptionKey(this, 'webhook-secrets', {
      environment,
      description: 'Encrypts the data keys of webhook secrets.',
    });
    this.registry = new Registry(this, 'registry', { environment, records: this.registryRecords });
    this.canarySecret = storedSecret(new Construct(this, 'canary'), {
      environment,
      name: 'canary',
      description: 'Credentials of the canary: its API client and webhook.',
      notRotated: '"npm run deploy" makes the client, and a new one when this one is revoked.',
    });
    this.auditTrail = new AuditTrail(this, 'audit-trail', environment);
  }

  get tables(): readonly Table[] {
    return [
      this.organizations,
      this.policies,
      this.fileDocuments,
      this.filings,
      this.carriers,
      this.downstreamEntities,
      this.associations,
      this.agents,
      this.contacts,
      this.registryRecords,
      this.compliance,
      this.licensing,
      this.webhooks,
      this.oneTimeLinks,
      this.outbox,
      this.idempotency,
      this.rateCounters,
    ];
  }
}
