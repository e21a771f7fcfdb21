import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { evaluate, readStatements, type Statement } from './policy-evaluation.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]);

const allowance = z.looseObject({
  Effect: z.literal('Allow'),
  Principal: z.strictObject({ Service: oneOrMore }),
});

const policyProperties = z.strictObject({
  Queues: z.array(z.string()),
  PolicyDocument: z.looseObject({ Statement: z.array(z.unknown()) }),
});

/** What a queue's policy allows an AWS service to do. */
interface Allowance {
  readonly services: readonly string[];
  readonly statements: readonly Statement[];
}

/** The Allow statements for services in queue policies; Deny statements concern calls that do not occur locally. */
export const queuePolicies = (deployment: Deployment): Allowance[] =>
  deployment.ofType('AWS::SQS::QueuePolicy').flatMap((resource) =>
    propertiesOf(resource, policyProperties).PolicyDocument.Statement.flatMap((statement) => {
      const parsed = z.safeParse(allowance, statement);
      if (!parsed.success) return [];
      const { Principal, ...rest } = parsed.data;
      return [{ services: [Principal.Service].flat(), statements: readStatements({ Statement: [rest] }) }];
    }),
  );

/** Whether a service may send messages to a queue on behalf of the source ARN. */
export const mayDeliver = (
  allowances: readonly Allowance[],
  call: { readonly queueArn: string; readonly principal: string; readonly sourceArn: string },
): boolean =>
  allowances.some(
    ({ services, statements }) =>
      services.includes(call.principal) &&
      evaluate(statements, {
        action: 'sqs:SendMessage',
        resource: call.queueArn,
        context: { 'aws:SourceArn': call.sourceArn },
      }).allowed,
  );
