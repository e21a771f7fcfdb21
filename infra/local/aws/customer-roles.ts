import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { accountId } from '../template/physical-resources.ts';
import { secretAccessKey } from './call.ts';
import type { Caller } from './endpoint.ts';
import { evaluate, readStatements, type Statement } from './policy-evaluation.ts';
import { answerXml, fieldOf, formOf, refuseAsForm } from './query-protocol.ts';
import { AwsError, type AwsService, unsupported } from './service.ts';
import { sessionToken } from './session-token.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]);

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
    .Statement.filter(({ Principal }) => [Principal.AWS].flat().some((one) => trusted.includes(one)))
    .map(({ Principal: _, ...statement }) => ({ ...statement, Resource: '*' }));
  return readStatements({ Statement: ofThisAccount });
}

const arnOf = (name: string): string => `arn:aws:iam::${accountId}:role/${name}`;

/**
 * Roles as customers have them in their own accounts, which are this one here: made and removed by IAM's calls, assumed by those
 * of STS. A session may do what its role may do then, until it ends or the role is removed.
 *
 * @param now in Unix milliseconds
 * @param callers by access key; each session becomes one.
 */
export function customerRoles(now: () => number, callers: Map<string, Caller>) {
  const roles = new Map<string, CustomerRole>();

  const named = (name: string): CustomerRole => {
    const role = roles.get(arnOf(name));
    if (role === undefined) throw new AwsError('NoSuchEntity', `There is no role ${name}.`, 404);
    return role;
  };

  const operations: Readonly<Record<string, (name: string, form: URLSearchParams) => void>> = {
    CreateRole(name, form) {
      const trust = readTrust(fieldOf(form, 'AssumeRolePolicyDocument'));
      if (roles.has(arnOf(name))) throw new AwsError('EntityAlreadyExists', `The role ${name} exists.`, 409);
      roles.set(arnOf(name), { trust, policies: new Map() });
    },
    PutRolePolicy(name, form) {
      const statements = readStatements(JSON.parse(fieldOf(form, 'PolicyDocument')));
      named(name).policies.set(fieldOf(form, 'PolicyName'), statements);
    },
    DeleteRole(name) {
      named(name);
      roles.delete(arnOf(name));
    },
  };

  const iam: AwsService = {
    accesses: (request) => {
      const form = formOf(request);
      return [{ action: `iam:${form.get('Action')}`, resource: arnOf(fieldOf(form, 'RoleName')) }];
    },
    answer(request, response) {
      const form = formOf(request);
      const action = fieldOf(form, 'Action');
      const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
      if (operation === undefined) throw unsupported(`iam:${action}`);
      operation(fieldOf(form, 'RoleName'), form);
      answerXml(response, action, {});
      return Promise.resolve();
    },
    refuse: refuseAsForm,
  };

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

  const sts: AwsService = {
    accesses: (request) => {
      const form = formOf(request);
      return [{ action: `sts:${form.get('Action')}`, resource: fieldOf(form, 'RoleArn') }];
    },
    answer(request, response) {
      const form = formOf(request);
      if (form.get('Action') !== 'AssumeRole') throw unsupported(`sts:${form.get('Action')}`);
      const arn = fieldOf(form, 'RoleArn');
      const externalId = form.get('ExternalId');
      const role = roles.get(arn);
      const context = externalId === null ? {} : { 'sts:ExternalId': externalId };
      const access = { action: 'sts:AssumeRole', resource: arn, context };
      if (role === undefined || !evaluate(role.trust, access).allowed) {
        throw new AwsError(
          'AccessDenied',
          `Not authorized to perform: sts:AssumeRole on resource: ${arn}`,
          403,
        );
      }
      const endsAt = now() + Number(fieldOf(form, 'DurationSeconds')) * 1_000;
      answerXml(response, 'AssumeRole', {
        Credentials: {
          AccessKeyId: begin(arn, role, endsAt),
          SecretAccessKey: secretAccessKey,
          SessionToken: sessionToken(endsAt),
          Expiration: new Date(endsAt).toISOString(),
        },
      });
      return Promise.resolve();
    },
    refuse: refuseAsForm,
  };

  return { iam, sts };
}
