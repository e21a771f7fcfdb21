import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { adminEnvironment } from '../functions/admin/environment.ts';
import { authEnvironment } from '../functions/auth/environment.ts';
import { authRoutes } from '../functions/auth/routes.ts';
import { authorizerEnvironment } from '../functions/authorizer/environment.ts';
import { fileDocumentsEnvironment } from '../functions/file-documents/environment.ts';
import { fileDocumentRoutes } from '../functions/file-documents/routes.ts';
import { policiesEnvironment } from '../functions/policies/environment.ts';
import { policyRoutes } from '../functions/policies/routes.ts';
import { signingSecretRotationEnvironment } from '../functions/signing-secret-rotation/environment.ts';
import { surplusLinesFilingsEnvironment } from '../functions/surplus-lines-filings/environment.ts';
import { surplusLinesFilingRoutes } from '../functions/surplus-lines-filings/routes.ts';
import { Alarms } from './constructs/alarms.ts';
import { ApiFunction } from './constructs/api-function.ts';
import { plain } from './constructs/binding.ts';
import { Firewall } from './constructs/firewall.ts';
import { Gateway } from './constructs/gateway.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';

interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
}

/** What can be rebuilt: gateway > authorizer > one function per route group > data; operators and rotation beside it. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { environment: deployment, data } = props;
    const common = { ENVIRONMENT: plain(deployment.name) };
    const api = { ...common, RESPONSE_CHECK: plain(deployment.responseCheck) };
    // What the pipeline itself keeps for routes that write.
    const writes = {
      IDEMPOTENCY_TABLE: data.idempotency.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      }),
      RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
    };

    const authorizer = new ServiceFunction(this, 'authorizer', {
      deployment,
      timeout: Duration.seconds(5),
      environment: authorizerEnvironment,
      uses: {
        ...common,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem', 'BatchGetItem'] }),
        SIGNING_SECRET_ARN: data.signingSecret.reads(),
      },
    });
    const auth = new ApiFunction(this, authRoutes, {
      deployment,
      environment: authEnvironment,
      uses: {
        ...api,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
        RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
        SIGNING_SECRET_ARN: data.signingSecret.reads(),
      },
    });
    const policies = new ApiFunction(this, policyRoutes, {
      deployment,
      environment: policiesEnvironment,
      uses: {
        ...api,
        POLICIES_TABLE: data.policies.allows({
          items: ['GetItem'],
          query: ['by-number', 'by-status', 'by-state', 'by-ordinal'],
        }),
      },
    });
    const fileDocuments = new ApiFunction(this, fileDocumentRoutes, {
      deployment,
      environment: fileDocumentsEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
          query: ['by-owner'],
        }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['incoming', 'files'],
          missing: true,
        }),
      },
    });
    const surplusLinesFilings = new ApiFunction(this, surplusLinesFilingRoutes, {
      deployment,
      environment: surplusLinesFilingsEnvironment,
      uses: {
        ...api,
        ...writes,
        FILINGS_TABLE: data.filings.allows({
          items: ['BatchGetItem', 'PutItem'],
          query: [
            'table',
            'by-downstream',
            'by-owner',
            'by-status',
            'by-state',
            'by-policy-number',
            'by-reference',
            'by-action',
          ],
        }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({ items: ['BatchGetItem', 'UpdateItem'] }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['files'],
          missing: true,
        }),
      },
    });
    const apiFunctions = [auth, policies, fileDocuments, surplusLinesFilings];
    const gateway = new Gateway(this, 'Gateway', {
      environment: deployment,
      authorizer,
      functions: apiFunctions,
      fallback: auth,
    });
    if (deployment.firewall) new Firewall(this, 'Firewall', gateway.api.deploymentStage);

    const admin = new ServiceFunction(this, 'admin', {
      deployment,
      timeout: Duration.minutes(5),
      environment: adminEnvironment,
      uses: {
        ...common,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem', 'PutItem', 'UpdateItem'] }),
        POLICIES_TABLE: data.policies.allows({ items: ['BatchGetItem', 'PutItem'], query: ['table'] }),
        FILINGS_TABLE: data.filings.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
          query: ['table'],
        }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
          items: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['incoming', 'files'],
          missing: true,
        }),
        CARRIERS_TABLE: data.carriers.allows({ items: ['BatchGetItem', 'PutItem'] }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['BatchGetItem', 'PutItem'] }),
      },
    });

    const rotation = new ServiceFunction(this, 'signing-secret-rotation', {
      deployment,
      timeout: Duration.seconds(30),
      environment: signingSecretRotationEnvironment,
      uses: common,
    });
    data.signingSecret.rotatedBy(rotation);

    new Alarms(this, 'Alarms', {
      environment: deployment,
      gateway,
      authorizer,
      apiFunctions,
      admin,
      rotation,
      tables: data.tables,
    });
  }
}
