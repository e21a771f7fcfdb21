// Roles: those of customers, which functions assume, and the statements of a function's own.
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { accountId, type Deployment, propertiesOf } from '../template/template.ts';
import { fieldOf, formService, secretAccessKey, sessionToken } from './call.ts';
import type { Caller } from './endpoint.ts';
import { evaluate, oneOrMore, readStatements, type Statement } from './policy-evaluation.ts';
import { AwsError } from './service.ts';

const trustPolicy = z.looseObject({
  Statement: z.array(z.looseObject({ Action: oneOrMore, Principal: z.strictObject({ AWS: oneOrMore }) })),
});

/** A role that a customer made for this service. */
interface CustomerRole {
  /** Who may assume it, and when. */
  readonly trust: readonly Statement[];
  /** What its sessions may do, by the names of its policies. */
  readonly policies: Map<string, readonly Statement[]>;
}

/** Statements that trust this account; those about others are left out. */
function readTrust(document: string): Statement[] {
  const trusted = [accountId, `arn:aws:iam::${accountId}:root`];
  const ofThisAccount = z
    .parse(trustPolicy, JSON.parse(document))
    .Statement.filter(({ Principal }) => Principal.AWS.some((one) => trusted.includes(one)))
    .map(({ Principal: _, ...statement }) => ({ ...statement, Resource: '*' }));
  return readStatements({ Statement: ofThisAccount });
}

/** The ARN of a customer's role. It is in another account: the service may assume none in its own. */
export const customerRoleArn = (name: string): string => `arn:aws:iam::111122223333:role/${name}`;

/**
 * Roles as customers have them in their own accounts, made and removed by IAM's calls, assumed by those of STS. A session may do what its role may do then, until it ends or the role is removed.
 *
 * @param now in Unix milliseconds
 * @param callers by access key; each session becomes one.
 */
export function customerRoles(now: () => number, callers: Map<string, Caller>) {
  const roles = new Map<string, CustomerRole>();

  const existing = (arn: string): CustomerRole => {
    const role = roles.get(arn);
    if (role === undefined) throw new AwsError('NoSuchEntity', `There is no role ${arn}.`, 404);
    return role;
  };

  const roleArn = (form: URLSearchParams): string => customerRoleArn(fieldOf(form, 'RoleName'));
  const iam = formService('iam', roleArn, {
    CreateRole(form) {
      const arn = roleArn(form);
      const trust = readTrust(fieldOf(form, 'AssumeRolePolicyDocument'));
      if (roles.has(arn)) throw new AwsError('EntityAlreadyExists', `The role ${arn} exists.`, 409);
      roles.set(arn, { trust, policies: new Map() });
      return {};
    },
    PutRolePolicy(form) {
      const statements = readStatements(JSON.parse(fieldOf(form, 'PolicyDocument')));
      existing(roleArn(form)).policies.set(fieldOf(form, 'PolicyName'), statements);
      return {};
    },
    DeleteRole(form) {
      existing(roleArn(form));
      roles.delete(roleArn(form));
      return {};
    },
  });

  /** Begins a session, and returns its access key. */
  function begin(arn: string, role: CustomerRole, endsAt: number): string {
    const key = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
    callers.set(key, {
      name: arn,
      isCustomer: true,
      isCode: true,
      get statements() {
        return roles.get(arn) === role && now() < endsAt ? Array.from(role.policies.values()).flat() : [];
      },
    });
    return key;
  }

  const sts = formService('sts', (form) => fieldOf(form, 'RoleArn'), {
    AssumeRole(form) {
      const arn = fieldOf(form, 'RoleArn');
      const externalId = form.get('ExternalId');
      const role = roles.get(arn);
      const context = externalId === null ? {} : { 'sts:ExternalId': externalId };
      const access = { action: 'sts:AssumeRole', resource: arn, context };
      if (role === undefined || !evaluate(role.trust, access).allowed) {
        const message = `Not authorized to perform: sts:AssumeRole on resource: ${arn}`;
        throw new AwsError('AccessDenied', message, 403);
      }
      const endsAt = now() + Number(fieldOf(form, 'DurationSeconds')) * 1_000;
      return {
        Credentials: {
          AccessKeyId: begin(arn, role, endsAt),
          SecretAccessKey: secretAccessKey,
          SessionToken: sessionToken(endsAt),
          Expiration: new Date(endsAt).toISOString(),
        },
      };
    },
  });

  return { iam, sts };
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
  const [managed] = ManagedPolicyArns;
  if (managed !== undefined) {
    throw new Error(`The local run does not support the managed policy ${managed} of ${role.ref}.`);
  }
  const attached = deployment
    .ofType('AWS::IAM::Policy')
    .map((policy) => propertiesOf(policy, policyProperties))
    .filter(({ Roles }) => Roles.includes(role.ref));
  return [...Policies, ...attached].flatMap(({ PolicyDocument }) => readStatements(PolicyDocument));
}
