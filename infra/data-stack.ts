import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  carriersTable,
  downstreamEntitiesTable,
  fileDocumentsTable,
  filingsTable,
  idempotencyTable,
  organizationsTable,
  policiesTable,
  rateCountersTable,
} from '../shared/data/tables.ts';
import { FilesBucket } from './constructs/files-bucket.ts';
import { SigningSecret } from './constructs/signing-secret.ts';
import { Table } from './constructs/table.ts';
import type { Environment } from './environments.ts';

interface DataStackProps extends StackProps {
  readonly environment: Environment;
}

/** What must never be lost. The service stack can be deleted and deployed anew around it. */
export class DataStack extends Stack {
  readonly organizations: Table<typeof organizationsTable>;
  readonly policies: Table<typeof policiesTable>;
  readonly fileDocuments: Table<typeof fileDocumentsTable>;
  readonly filings: Table<typeof filingsTable>;
  readonly carriers: Table<typeof carriersTable>;
  readonly downstreamEntities: Table<typeof downstreamEntitiesTable>;
  readonly idempotency: Table<typeof idempotencyTable>;
  readonly rateCounters: Table<typeof rateCountersTable>;
  readonly files: FilesBucket;
  readonly signingSecret: SigningSecret;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: props.environment.keepsData });
    const { environment } = props;

    this.organizations = new Table(this, organizationsTable, environment);
    this.policies = new Table(this, policiesTable, environment);
    this.fileDocuments = new Table(this, fileDocumentsTable, environment);
    this.filings = new Table(this, filingsTable, environment);
    this.carriers = new Table(this, carriersTable, environment);
    this.downstreamEntities = new Table(this, downstreamEntitiesTable, environment);
    this.idempotency = new Table(this, idempotencyTable, environment);
    this.rateCounters = new Table(this, rateCountersTable, environment);
    this.files = new FilesBucket(this, 'files', environment);
    this.signingSecret = new SigningSecret(this, 'signing-secret', environment);
  }

  get tables(): readonly Table[] {
    return [
      this.organizations,
      this.policies,
      this.fileDocuments,
      this.filings,
      this.carriers,
      this.downstreamEntities,
      this.idempotency,
      this.rateCounters,
    ];
  }
}
