import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';

/**
 * The part of IAM's policy language that synthesized roles and buckets use: Allow and Deny, wildcards in actions and resources,
 * and conditions of equality. Anything else is rejected when the policy is read, never ignored.
 */

/** Schema of a text or a list of texts. */
const oneOrMore = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((value) => [value].flat()),
);

/** Values by condition key. */
const valuesByKey = z.optional(z.record(z.string(), oneOrMore));

const statementSchema = z.strictObject({
  Sid: z.optional(z.string()),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.optional(
    z.strictObject({
      StringEquals: valuesByKey,
      StringNotEquals: valuesByKey,
      ArnEquals: valuesByKey,
      ArnNotEquals: valuesByKey,
      Bool: valuesByKey,
    }),
  ),
});

const documentSchema = z.object({
  Statement: z.pipe(
    z.union([z.array(statementSchema), statementSchema]),
    z.transform((value) => (Array.isArray(value) ? value : [value])),
  ),
});

export type Statement = ReturnType<typeof readStatements>[number];

/** Access: an action on a resource, with the condition keys that the service sets. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string>>;
}

/** The action and the resource of a statement that allowed an access. */
export type Grant = Omit<AccessRequest, 'context'>;

export type Decision =
  | { readonly isAllowed: true; readonly grants: readonly Grant[] }
  | { readonly isAllowed: false; readonly explicit: boolean };

/** The statements of a policy document. */
export function readStatements(document: unknown) {
  const result = z.safeParse(documentSchema, document);
  if (!result.success) {
    throw new Error(
      `The local run cannot read the policy ${JSON.stringify(document)}: ${z.prettifyError(result.error)}`,
    );
  }
  return result.data.Statement.map((statement) => {
    const variable = statement.Resource.find((resource) => resource.includes('${'));
    if (variable !== undefined)
      throw new Error(`The local run does not support policy variables (${variable}).`);
    return {
      effect: statement.Effect,
      actions: statement.Action,
      resources: statement.Resource,
      conditions: Object.entries(statement.Condition ?? {}).flatMap(([operator, keys = {}]) =>
        Object.entries(keys).map(([key, values]) => ({ operator, key, values })),
      ),
    };
  });
}

/** Whether a value matches a pattern with `*` (any characters) and `?` (one character). */
export function matches(pattern: string, value: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === value;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's').test(value);
}

const holds = (
  condition: Statement['conditions'][number],
  context: Readonly<Record<string, string>>,
): boolean => {
  const value = context[condition.key];
  const isNegated = condition.operator.includes('Not');
  // A condition of inequality holds for a key that the request does not have.
  if (value === undefined) return isNegated;
  const isExact = condition.operator.startsWith('String') && condition.operator.endsWith('Equals');
  const isMet = condition.values.some((conditionValue) =>
    isExact ? conditionValue === value : matches(conditionValue, value),
  );
  return isMet !== isNegated;
};

/** The action and the resource of a statement that match an access. Actions are case-insensitive. */
function covering(statement: Statement, access: AccessRequest): Grant | undefined {
  const requestedAction = access.action.toLowerCase();
  const action = statement.actions.find((pattern) => matches(pattern.toLowerCase(), requestedAction));
  const resource = statement.resources.find((pattern) => matches(pattern, access.resource));
  if (action === undefined || resource === undefined) return undefined;
  const met = statement.conditions.every((condition) => holds(condition, access.context ?? {}));
  return met ? { action, resource } : undefined;
}

/** Decides an access as IAM does within one account: a Deny wins, and without an Allow access is denied. */
export function evaluate(statements: readonly Statement[], access: AccessRequest): Decision {
  const grants: Grant[] = [];
  for (const statement of statements) {
    const grant = covering(statement, access);
    if (grant === undefined) continue;
    if (statement.effect === 'Deny') return { isAllowed: false, explicit: true };
    grants.push(grant);
  }
  return grants.length === 0 ? { isAllowed: false, explicit: false } : { isAllowed: true, grants };
}

const texts = z._default(z.array(z.string()), []);

const roleProperties = z.looseObject({
  Policies: z._default(z.array(z.looseObject({ PolicyDocument: z.unknown() })), []),
  ManagedPolicyArns: texts,
});

const policyProperties = z.looseObject({ PolicyDocument: z.unknown(), Roles: texts });

/** The statements of a role: those of its inline policies and of the policies attached to it. */
export function statementsOf(roleArn: string, deployment: Deployment): Statement[] {
  const role = deployment.ofType('AWS::IAM::Role').find(({ attributes }) => attributes['Arn'] === roleArn);
  if (role === undefined) throw new Error(`The deployment has no role ${roleArn}.`);
  const { Policies, ManagedPolicyArns } = propertiesOf(role, roleProperties);
  const [managedPolicy] = ManagedPolicyArns;
  if (managedPolicy !== undefined) {
    throw new Error(`The local run does not support the managed policy ${managedPolicy} of ${role.ref}.`);
  }
  const attachedPolicies = deployment
    .ofType('AWS::IAM::Policy')
    .map((policy) => propertiesOf(policy, policyProperties))
    .filter(({ Roles }) => Roles.includes(role.ref));
  return [...Policies, ...attachedPolicies].flatMap(({ PolicyDocument }) => readStatements(PolicyDocument));
}

const everybody = z.looseObject({
  Effect: z.literal('Deny'),
  Principal: z.strictObject({ AWS: z.literal('*') }),
});

const allowance = z.looseObject({
  Effect: z.literal('Allow'),
  Principal: z.strictObject({ Service: oneOrMore }),
});

const resourcePolicyProperties = z.looseObject({
  PolicyDocument: z.looseObject({ Statement: z.array(z.unknown()) }),
});

/** The statements of this form in all policies of a kind of resource. */
const resourceStatements = <Schema extends z.core.$ZodType>(
  deployment: Deployment,
  kind: 'AWS::S3::BucketPolicy' | 'AWS::SQS::QueuePolicy',
  form: Schema,
) =>
  deployment
    .ofType(kind)
    .flatMap((resource) => propertiesOf(resource, resourcePolicyProperties).PolicyDocument.Statement)
    .flatMap((statement) => z.safeParse(form, statement).data ?? []);

const withoutPrincipal = ({ Principal: _, ...rest }: { readonly Principal: unknown }): Statement[] =>
  readStatements({ Statement: [rest] });

/** Statements of bucket policies that deny everybody; those that allow are for AWS services, which make no calls here. */
export const bucketDenials = (deployment: Deployment): Statement[] =>
  resourceStatements(deployment, 'AWS::S3::BucketPolicy', everybody).flatMap(withoutPrincipal);

/** The Allow statements for services in queue policies; Deny statements concern calls that do not occur locally. */
export const queuePolicies = (deployment: Deployment) =>
  resourceStatements(deployment, 'AWS::SQS::QueuePolicy', allowance).map((statement) => ({
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
