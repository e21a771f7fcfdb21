import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import type { Binding } from './binding.ts';
import { alwaysExported, exportNameOf } from './exports.ts';
import { malwareScan } from './malware-scan.ts';
import { privateBucket } from './private-bucket.ts';

const folders = ['incoming', 'files'] as const;

/** `incoming` is for presigned uploads by callers; `files` contains the versions of documents. */
export type Folder = (typeof folders)[number];

const incomingDays = Duration.days(7);

export type FilesBucket = ReturnType<typeof filesBucket>;

/** The content of file documents, accessible to callers through presigned URLs only. */
export function filesBucket(scope: Construct, environment: Environment) {
  const bucket = new Bucket(scope, 'Bucket', {
    ...privateBucket(environment),
    cors: [
      {
        // Any origin is safe: access requires a presigned URL, and the bucket has no cookies or sessions that another
        // site could abuse.
        allowedOrigins: ['*'],
        allowedMethods: [HttpMethods.GET, HttpMethods.HEAD, HttpMethods.PUT],
        // The signature determines the required headers; others have no effect.
        allowedHeaders: ['*'],
        exposedHeaders: ['ETag', 'Content-Disposition', 'Content-Length', 'Content-Range'],
        maxAge: Duration.hours(1).toSeconds(),
      },
    ],
    lifecycleRules: [
      {
        id: 'uploads-that-nothing-used',
        prefix: 'incoming/',
        expiration: incomingDays,
        noncurrentVersionExpiration: Duration.days(1),
        abortIncompleteMultipartUploadAfter: incomingDays,
      },
    ],
  });
  const { bucketArn, bucketName } = bucket;
  /** The scan of new files, where the environment has one. */
  const scan =
    environment.malwareScan === 'yes' ? malwareScan(new Construct(scope, 'MalwareScan'), bucket) : undefined;
  alwaysExported(scope, bucketName, bucketArn);
  if (scan !== undefined) alwaysExported(scope, scan.planId);
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'The API issues every presigned URL and logs which caller requested it for which document.',
  });
  const exportedArn = exportNameOf(scope, bucketArn);

  return {
    malwareScan: scan,
    /**
     * The bucket's name, with the permissions to read files, presigned URLs included, to learn the results of their scans,
     * and to write to these folders.
     */
    allows(write: readonly Folder[]): Binding {
      const objects = (folders: readonly Folder[]): string[] =>
        folders.map((folder) => `${bucketArn}/${folder}/*`);
      return {
        value: bucketName,
        grant: (role) => {
          const allow = (action: string, resources: string[]): void =>
            void role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
          allow('s3:GetObject', objects(folders));
          allow('s3:PutObject', objects(write));
          if (scan !== undefined) allow('s3:GetObjectTagging', objects(['files']));
          // Distinguishes missing objects: without it S3 responds with 403 instead of 404.
          allow('s3:ListBucket', [bucketArn]);
          for (const folder of folders) {
            Validations.of(role).acknowledge({
              id: `AwsSolutions-IAM5[Resource::${exportedArn}/${folder}/*]`,
              reason: 'Object keys are generated at run time; the folder is the narrowest possible resource.',
            });
          }
        },
      };
    },
  };
}
