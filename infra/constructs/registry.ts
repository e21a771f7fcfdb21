import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { reportPrefix, simulatedAddress } from '../../shared/domain/registry/http-registry.ts';
import type { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import type { Environment } from '../environments.ts';
import { storedSecret } from './keys.ts';
import { alwaysExported, type Binding, exportNameOf, plain, privateBucket } from './resource.ts';
import type { Table } from './table.ts';

/** The environment's licensing registry: over HTTP with a key, by its own reports, or simulated. */
export interface Registry {
  readonly address: Binding;
  /** What a function needs to use the address: a key, or the simulated records; with the permission to read it. */
  readonly access: Binding;
  /** The bucket of its lists of changes, with the permission to read them. */
  readonly changes: Binding;
}

const noBucket = plain('none');

export function registryOf(
  scope: Construct,
  environment: Environment,
  records: Table<typeof registryRecordsTable>,
): Registry {
  const { registry } = environment;
  if (registry.kind === 'simulated') {
    return {
      address: plain(simulatedAddress),
      access: records.allows({ items: ['GetItem'] }),
      changes: noBucket,
    };
  }
  const isReport = registry.kind === 'report';
  return {
    address: plain(`${isReport ? reportPrefix : ''}${registry.address}`),
    access: storedSecret(scope, {
      environment,
      name: 'registry-key',
      description:
        'Access to the licensing registry, stored by an operator: its API key, or JSON of customerNumber and pin.',
      notRotated: 'The registry issues the key: an operator stores a new one.',
    }),
    changes: isReport ? changesBucket(scope, environment) : noBucket,
  };
}

/** Where the holder of the contract with the registry puts its list of each working day: `2026-11-27.txt`, an NPN a line. */
function changesBucket(scope: Construct, environment: Environment): Binding {
  const bucket = new Bucket(new Construct(scope, 'changes'), 'Bucket', {
    ...privateBucket(environment),
    lifecycleRules: [
      {
        id: 'lists-that-were-read',
        expiration: Duration.days(90),
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
  });
  const { bucketArn, bucketName } = bucket;
  alwaysExported(scope, bucketName, bucketArn);
  new CfnOutput(scope, 'ChangesBucket', { value: bucketName });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It is written by one application and read by one function, whose log says what it reads.',
  });
  return {
    value: bucketName,
    grant(role) {
      role.addToPrincipalPolicy(
        new PolicyStatement({ actions: ['s3:GetObject'], resources: [`${bucketArn}/*.txt`] }),
      );
      role.addToPrincipalPolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucketArn] }));
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${exportNameOf(scope, bucketArn)}/*.txt]`,
        reason: 'There is a list a day; the form of their names is the narrowest possible resource.',
      });
    },
  };
}
