import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { evaluate, oneOrMore, readStatements, type Statement } from './policy-evaluation.ts';

const everybody = z.looseObject({
  Effect: z.literal('Deny'),
  Principal: z.strictObject({ AWS: z.literal('*') }),
});

const allowance = z.looseObject({
  Effect: z.literal('Allow'),
  Principal: z.strictObject({ Service: oneOrMore }),
});

const policyProperties = z.looseObject({
  PolicyDocument: z.looseObject({ Statement: z.array(z.unknown()) }),
});

/** The statements of this form in all policies of a kind of resource. */
const statementsOf = <Schema extends z.core.$ZodType>(
  deployment: Deployment,
  kind: 'AWS::S3::BucketPolicy' | 'AWS::SQS::QueuePolicy',
  form: Schema,
) =>
  deployment
    .ofType(kind)
    .flatMap((resource) => propertiesOf(resource, policyProperties).PolicyDocument.Statement)
    .flatMap((statement) => z.safeParse(form, statement).data ?? []);

const withoutPrincipal = ({ Principal: _, ...rest }: { readonly Principal: unknown }): Statement[] =>
  readStatements({ Statement: [rest] });

/** Statements of bucket policies that deny everybody; those that allow are for AWS services, which make no calls here. */
export const bucketDenials = (deployment: Deployment): Statement[] =>
  statementsOf(deployment, 'AWS::S3::BucketPolicy', everybody).flatMap(withoutPrincipal);

/** The Allow statements for services in queue policies; Deny statements concern calls that do not occur locally. */
export const queuePolicies = (deployment: Deployment) =>
  statementsOf(deployment, 'AWS::SQS::QueuePolicy', allowance).map((statement) => ({
    services: statement.Principal.Service,
    statements: withoutPrincipal(statement),
  }));

/** Whether a service may send messages to a queue on behalf of the source ARN. */
export const mayDeliver = (
  allowances: ReturnType<typeof queuePolicies>,
  call: { readonly queueArn: string; readonly principal: string; readonly sourceArn: string },
): boolean =>
  allowances.some(
    ({ services, statements }) =>
      services.includes(call.principal) &&
      evaluate(statements, {
        action: 'sqs:SendMessage',
        resource: call.queueArn,
        context: { 'aws:SourceArn': call.sourceArn },
      }).isAllowed,
  );
