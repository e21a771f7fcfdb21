import { RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { Environment } from '../environments.ts';

/** What every bucket has in common: it is private and encrypted, and keeps earlier versions of its objects. */
export const privateBucket = (environment: Environment): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  encryption: BucketEncryption.S3_MANAGED,
  // An object that is deleted or overwritten by mistake can be restored, like the items of a table.
  versioned: true,
  // Also when its creation is rolled back: CloudTrail and GuardDuty write to a bucket at once, and one that is not empty
  // cannot be deleted. Its generated name is in nobody's way.
  removalPolicy: environment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  // CloudFormation cannot delete a bucket that is not empty, and therefore its stack.
  autoDeleteObjects: !environment.keepsData,
});

/**
 * The removal policy of resources with data. If the environment keeps its data, they are retained when they are replaced
 * or their stack is deleted. When their creation is rolled back, they are deleted: they are empty, and their names would
 * make the next attempt fail.
 */
export const removalOf = ({ keepsData }: Environment): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
