import { Stack, type StackProps } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { tables } from '#domain/tables.ts';
import { createAuditTrail } from './constructs/audit-trail.ts';
import { encryptionKey, type Registry, receiptKeys, registryOf, storedSecret } from './constructs/keys.ts';
import { type FilesBucket, filesBucket } from './constructs/malware-scan.ts';
import type { Binding } from './constructs/resource.ts';
import { Table } from './constructs/table.ts';
import type { Environment } from './environments.ts';

interface DataStackProps extends StackProps {
  readonly environment: Environment;
}

/** Everything that must never be lost. The service stack can be deleted and deployed again without losing data. */
export class DataStack extends Stack {
  readonly tables: { readonly [Key in keyof typeof tables]: Table<(typeof tables)[Key]> };
  readonly files: FilesBucket;
  readonly signingSecret: Binding;
  /** Encrypts webhooks' secrets, which are shown once and then only sign. */
  readonly webhookKey: ReturnType<typeof encryptionKey>;
  /** Sign receipts of sale checks. */
  readonly receiptKeys: Binding;
  /** Includes the registry's key, which a deployment could not recreate. */
  readonly registry: Registry;
  /** Signs sign-in links. */
  readonly linkSecret: Binding;
  /** The canary's API client, beside the organization that it belongs to. */
  readonly canarySecret: Binding;
  /** Record of who called the operators' functions, as evidence. */
  readonly auditLog: ILogGroup;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: props.environment.keepsData });
    const { environment } = props;

    const tableEntries = Object.entries(tables).map(([key, design]) => [
      key,
      new Table(this, design, environment),
    ]);
    this.tables = Object.fromEntries(tableEntries) as DataStack['tables'];
    this.files = filesBucket(new Construct(this, 'files'), environment);
    // Tables with many indexes take minutes to create.
    this.files.malwareScan?.waitFor(Object.values(this.tables));
    this.signingSecret = storedSecret(new Construct(this, 'signing-secret'), {
      environment,
      name: 'signing-secret',
      description:
        'Signs access tokens (HS256); the pending, the current, and the previous version verify them.',
      noRotationReason: 'Its rotation schedule is in the service stack, with the function that rotates it.',
    });
    this.webhookKey = encryptionKey(
      new Construct(this, 'webhook-secrets'),
      environment,
      'Encrypts the data keys of webhook secrets.',
    );
    this.receiptKeys = receiptKeys(new Construct(this, 'receipts'), environment);
    this.registry = registryOf(new Construct(this, 'registry'), environment, this.tables.registryRecords);
    this.linkSecret = storedSecret(new Construct(this, 'sign-in-links'), {
      environment,
      name: 'sign-in-links',
      description: 'Signs sign-in links (HMAC-SHA256).',
      noRotationReason:
        'What it signs ends within 15 minutes; an operator can store another value at any time.',
    });
    this.canarySecret = storedSecret(new Construct(this, 'canary'), {
      environment,
      name: 'canary',
      description: 'API client of the canary.',
      noRotationReason:
        'The first smoke test makes the client, and the next one a new one when this one is revoked.',
    });
    this.auditLog = createAuditTrail(new Construct(this, 'audit-trail'), environment);
  }
}
