import { BlockPublicAccess, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { Environment } from '../environments.ts';
import { removalOf } from './removal.ts';

/** What every bucket has in common: it is private and encrypted, and keeps earlier versions of its objects. */
export const privateBucket = (environment: Environment): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  encryption: BucketEncryption.S3_MANAGED,
  // An object that is deleted or overwritten by mistake can be restored, like the items of a table.
  versioned: true,
  removalPolicy: removalOf(environment),
  // CloudFormation cannot delete a bucket that is not empty, and therefore its stack.
  autoDeleteObjects: !environment.keepsData,
});
