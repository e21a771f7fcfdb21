import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import type { Environment } from '../environments.ts';
import type { Binding } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';

/** `incoming` takes what callers upload by themselves; `files` holds what has become a file of a document. */
type Folder = 'incoming' | 'files';

interface Allowed {
  /** Also the permission to hand out an address that does the same. */
  readonly read?: readonly Folder[];
  readonly write?: readonly Folder[];
  /** To be told that an object does not exist: without it S3 answers 403 and not 404. */
  readonly missing?: true;
}

const incomingDays = Duration.days(7);

/** The bytes of file documents: reached through addresses that the service signs, and in no other way. */
export class FilesBucket extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      encryption: BucketEncryption.S3_MANAGED,
      // A file that is deleted or overwritten by mistake can be had back, as a table's item can.
      versioned: true,
      removalPolicy: removalOf(environment),
      // CloudFormation deletes no bucket that holds something, and so not its stack either.
      autoDeleteObjects: !environment.keepsData,
      cors: [
        {
          // A page of any origin: an address that the API signed is the permission, and the bucket knows no cookie and
          // no session that a foreign page could use. Whose pages hold such an address is its holder's choice.
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD, HttpMethods.PUT],
          // The signature says which headers a request has to have; others change nothing.
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
    alwaysExported(this, this.#bucket.bucketName, this.#bucket.bucketArn);
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Every link and upload address is handed out by the API, which logs who asked for which document.',
    });
  }

  /** Under what name the service stack finds the bucket's ARN; findings spell the ARN so. */
  #exportedArn(): string {
    const stack = Stack.of(this);
    const imported: unknown = stack.resolve(stack.exportValue(this.#bucket.bucketArn));
    return z.parse(z.object({ 'Fn::ImportValue': z.string() }), imported)['Fn::ImportValue'];
  }

  /** The bucket's name together with the permission for exactly these uses. */
  allows({ read = [], write = [], missing }: Allowed): Binding {
    const { bucketArn, bucketName } = this.#bucket;
    const allow = (role: IRole, action: string, resources: string[]): void => {
      if (resources.length > 0)
        role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
    };
    const objects = (folders: readonly Folder[]): string[] =>
      folders.map((folder) => `${bucketArn}/${folder}/*`);
    return {
      value: bucketName,
      grant: (role) => {
        allow(role, 's3:GetObject', objects(read));
        allow(role, 's3:PutObject', objects(write));
        if (missing) allow(role, 's3:ListBucket', [bucketArn]);
        for (const folder of new Set([...read, ...write])) {
          Validations.of(role).acknowledge({
            id: `AwsSolutions-IAM5[Resource::${this.#exportedArn()}/${folder}/*]`,
            reason:
              'Keys of objects are made at run time; the folder is as narrow as a permission can name them.',
          });
        }
      },
    };
  }
}
