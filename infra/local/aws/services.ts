import { corsRulesOf } from '../engines/queues-and-buckets.ts';
import type { Fleet } from '../functions/fleet.ts';
import type { Deployment } from '../template/template.ts';
import { type EventBuses, eventBridgeService } from '../triggers/event-bus.ts';
import { type Access, secretAccessKey } from './call.ts';
import { dynamodbService } from './dynamodb-service.ts';
import type { Caller } from './endpoint.ts';
import { kmsService } from './kms-service.ts';
import { lambdaService } from './lambda-service.ts';
import { bucketDenials } from './policy-evaluation.ts';
import { type MalwareScans, s3Service } from './s3-service.ts';
import { secretsManager } from './secrets-manager.ts';
import { sqsService } from './sqs-service.ts';

interface Parts {
  readonly deployment: Deployment;
  readonly fleet: Fleet;
  readonly operator: Access;
  readonly buses: EventBuses;
  readonly scans: MalwareScans;
  /** Clock in Unix milliseconds. */
  readonly now: () => number;
  /** The database, and the port of fauxqs. */
  readonly engines: { readonly dynamodb: Access; readonly fauxqs: number };
}

/** Every service of AWS, who calls it, and what policies of buckets deny. */
export function awsServices({ deployment, fleet, operator, buses, scans, engines, now }: Parts) {
  const callers = new Map<string, Caller>([
    ...fleet.callers,
    [operator.accessKeyId, { name: 'operator', statements: 'everything' }],
  ]);
  const services = {
    dynamodb: dynamodbService(engines.dynamodb),
    events: eventBridgeService(buses),
    kms: kmsService(deployment.ofType('AWS::KMS::Key')),
    lambda: lambdaService(fleet.all),
    secretsmanager: secretsManager(deployment, fleet.byArn, now),
    sqs: sqsService(engines.fauxqs),
    s3: s3Service({
      port: engines.fauxqs,
      secretAccessKey,
      corsRules: corsRulesOf(deployment.ofType('AWS::S3::Bucket')),
      scans,
    }),
  };
  return {
    services,
    denials: bucketDenials(deployment),
    callers,
    onRefusal: ({ name }: Caller, message: string) => fleet.report(name, message),
  };
}
