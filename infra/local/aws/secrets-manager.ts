import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { LocalFunction } from '../functions/local-function.ts';
import { invokePermissions, mayInvoke } from '../gateway/authorizer.ts';
import { type Deployment, propertiesOf, type Resource } from '../template/template.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  bodyOf,
  type ResourceOperations,
  resourceService,
} from './service.ts';

/** A version of a secret; one whose rotation has just begun has no value. */
interface Version {
  readonly id: string;
  readonly stages: Set<string>;
  value?: { readonly SecretString: string; readonly CreatedDate: number };
}

type Secret = ReturnType<typeof secretOf>;

const text = z.optional(z.string());

/** Supported properties of a secret; others are refused because they may change the value. */
const secretProperties = z.strictObject({
  Name: text,
  Description: text,
  GenerateSecretString: z.strictObject({ PasswordLength: z.number(), ExcludePunctuation: z.literal(true) }),
  Tags: z.optional(z.unknown()),
});

/** The secret that a template describes, whose current version has a generated value. */
function secretOf(resource: Resource, now: () => number) {
  const { PasswordLength } = propertiesOf(resource, secretProperties).GenerateSecretString;
  const SecretString = randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength);
  const first = { id: randomUUID(), stages: new Set(['AWSCURRENT']) };
  const versions: Version[] = [{ ...first, value: { SecretString, CreatedDate: now() / 1_000 } }];
  const holderOf = (stage: string) => versions.find(({ stages }) => stages.has(stage));

  /** Moves a stage to a version. The one that loses AWSCURRENT gets AWSPREVIOUS. */
  const attach = (stage: string, version: Version): void => {
    const holder = holderOf(stage);
    if (holder === version) return;
    holder?.stages.delete(stage);
    version.stages.add(stage);
    if (stage === 'AWSCURRENT' && holder !== undefined) attach('AWSPREVIOUS', holder);
  };

  /** The version with an id, which is new if there is none. */
  const versionOf = (id: string): Version => {
    const version = versions.find((candidate) => candidate.id === id) ?? { id, stages: new Set() };
    if (!versions.includes(version)) versions.push(version);
    return version;
  };

  const name = /:secret:(.+)-[^-]{6}$/.exec(resource.ref)?.[1] ?? resource.ref;
  return { arn: resource.ref, name, versions, holderOf, attach, versionOf };
}

const secretNotFound = (): AwsError =>
  new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret value.");

const scheduleProperties = z.strictObject({
  SecretId: z.string(),
  RotationLambdaARN: z.string(),
  RotationRules: z.optional(z.unknown()),
  // With true, a deployment rotates the secret immediately, which the local run does not do.
  RotateImmediatelyOnUpdate: z.literal(false),
});

/**
 * The functions that rotate secrets, by the secret's ARN.
 *
 * @throws Error for one that Secrets Manager may not invoke.
 */
function rotationFunctions(deployment: Deployment): ReadonlyMap<string, string> {
  const permissions = invokePermissions(deployment);
  const schedules = deployment.ofType('AWS::SecretsManager::RotationSchedule').map((resource) => {
    const { SecretId: sourceArn, RotationLambdaARN: functionArn } = propertiesOf(
      resource,
      scheduleProperties,
    );
    if (!mayInvoke(permissions, { functionArn, principal: 'secretsmanager.amazonaws.com', sourceArn })) {
      throw new Error(`Secrets Manager may not invoke ${functionArn}: the template gives no permission.`);
    }
    return [sourceArn, functionArn] as const;
  });
  return new Map(schedules);
}

// Members that the API takes as optional are required where the service always sends them.
const secretId = { SecretId: z.string() };
const onSecret = z.object(secretId);
const getSecretValue = z.object({ ...secretId, VersionId: text, VersionStage: text });
const putSecretValue = z.object({
  ...secretId,
  SecretString: z.string(),
  ClientRequestToken: z.string(),
  VersionStages: z.array(z.string()),
});
const updateStage = z.object({
  ...secretId,
  VersionStage: z.string(),
  RemoveFromVersionId: text,
  MoveToVersionId: z.string(),
});

/**
 * Secrets Manager with the secrets of the deployment. It rotates one on request only: the intervals of schedules are longer than a
 * local run.
 *
 * @param now Unix milliseconds
 */
export function secretsManager(
  deployment: Deployment,
  functionByArn: (functionArn: string) => Pick<LocalFunction, 'invoke'>,
  now: () => number,
): AwsService {
  const rotationArns = rotationFunctions(deployment);

  const secrets = deployment.ofType('AWS::SecretsManager::Secret').map((resource) => secretOf(resource, now));

  const find = (request: AwsRequest): Secret => {
    const { SecretId } = bodyOf(request, onSecret);
    const secret = secrets.find(({ arn, name }) => arn === SecretId || name === SecretId);
    if (secret === undefined) throw secretNotFound();
    return secret;
  };

  const operations: ResourceOperations<Secret> = {
    GetSecretValue(secret, request) {
      const { VersionId, VersionStage } = bodyOf(request, getSecretValue);
      const version =
        VersionId === undefined
          ? secret.holderOf(VersionStage ?? 'AWSCURRENT')
          : secret.versions.find(({ id }) => id === VersionId);
      if (version?.value === undefined) throw secretNotFound();
      if (VersionStage !== undefined && !version.stages.has(VersionStage)) {
        throw new AwsError('InvalidRequestException', `The version does not have the stage ${VersionStage}.`);
      }
      return { VersionId: version.id, VersionStages: Array.from(version.stages), ...version.value };
    },
    DescribeSecret({ versions }) {
      const stagedVersions = versions.filter(({ stages }) => stages.size > 0);
      return {
        VersionIdsToStages: Object.fromEntries(stagedVersions.map(({ id, stages }) => [id, [...stages]])),
      };
    },
    PutSecretValue(secret, request) {
      const { SecretString, ClientRequestToken, VersionStages } = bodyOf(request, putSecretValue);
      const version = secret.versionOf(ClientRequestToken);
      if (version.value !== undefined && version.value.SecretString !== SecretString) {
        throw new AwsError('ResourceExistsException', 'The value of a version cannot change.');
      }
      version.value ??= { SecretString, CreatedDate: now() / 1_000 };
      for (const stage of VersionStages) secret.attach(stage, version);
      return { VersionId: version.id, VersionStages: Array.from(version.stages) };
    },
    UpdateSecretVersionStage(secret, request) {
      const { VersionStage, RemoveFromVersionId, MoveToVersionId } = bodyOf(request, updateStage);
      const holder = secret.holderOf(VersionStage);
      if (holder !== undefined && ![RemoveFromVersionId, MoveToVersionId].includes(holder.id)) {
        const message = `RemoveFromVersionId must be ${holder.id}, which has the stage ${VersionStage}.`;
        throw new AwsError('InvalidParameterException', message);
      }
      const version = secret.versions.find(({ id }) => id === MoveToVersionId);
      if (version === undefined) throw secretNotFound();
      secret.attach(VersionStage, version);
      return {};
    },
    /** AWS responds first and rotates afterwards; here the caller waits until the rotation is complete. */
    async RotateSecret(secret) {
      const rotation = rotationArns.get(secret.arn);
      if (rotation === undefined) {
        throw new AwsError('InvalidRequestException', `The secret ${secret.name} is not rotated.`);
      }
      const pending = secret.holderOf('AWSPENDING');
      // One that an earlier attempt left unfinished is resumed.
      const isOver = pending === undefined || pending.stages.has('AWSCURRENT');
      const version = isOver ? secret.versionOf(randomUUID()) : pending;
      secret.attach('AWSPENDING', version);
      for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
        const call = { Step, SecretId: secret.arn, ClientRequestToken: version.id };
        await functionByArn(rotation).invoke(call);
      }
      return { VersionId: version.id };
    },
  };

  return resourceService('secretsmanager', operations, find, ({ arn, name }) => ({ ARN: arn, Name: name }));
}
