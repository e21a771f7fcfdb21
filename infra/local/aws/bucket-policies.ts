import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { readStatements, type Statement } from './policy-evaluation.ts';

const everybody = z.looseObject({
  Effect: z.literal('Deny'),
  Principal: z.strictObject({ AWS: z.literal('*') }),
});

const policyProperties = z.strictObject({
  Bucket: z.string(),
  PolicyDocument: z.looseObject({ Statement: z.array(z.unknown()) }),
});

/** What the policies of buckets deny everybody; what they allow, services of AWS alone need, which make no calls here. */
export const bucketDenials = (deployment: Deployment): Statement[] =>
  deployment.ofType('AWS::S3::BucketPolicy').flatMap((resource) =>
    propertiesOf(resource, policyProperties).PolicyDocument.Statement.flatMap((statement) => {
      const parsed = z.safeParse(everybody, statement);
      if (!parsed.success) return [];
      const { Principal: _, ...rest } = parsed.data;
      return readStatements({ Statement: [rest] });
    }),
  );
