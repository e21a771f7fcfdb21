import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { readStatements, type Statement } from './policy-evaluation.ts';

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
