import { randomInt, randomUUID } from 'node:crypto';
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

/** A version by id, by label or by both. */
interface VersionSelector {
  readonly VersionId?: string | undefined;
  readonly VersionStage?: string | undefined;
}

type SecretVersions = ReturnType<typeof createSecretVersions>;

const notFound = (by: string): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${by}.`,
  );

/**
 * One secret of Secrets Manager with its versions, whose current version has the given value. A staging label is attached
 * to at most one version; the version that loses AWSCURRENT gets AWSPREVIOUS.
 *
 * @param now Unix milliseconds
 */
export function createSecretVersions(arn: string, name: string, value: string, now: () => number) {
  /** By version id; empty until a rotation sets the value, which creates the version. */
  const versions = new Map<string, { readonly CreatedDate?: number; readonly SecretString?: string }>();
  /** Version ids by staging label. */
  const labels = new Map<string, string>();

  const attach = (stage: string, VersionId: string): void => {
    const holder = labels.get(stage);
    if (holder === VersionId) return;
    labels.set(stage, VersionId);
    if (stage === 'AWSCURRENT' && holder !== undefined) attach('AWSPREVIOUS', holder);
  };

  const stagesOf = (VersionId: string): string[] =>
    Array.from(labels).flatMap(([stage, holder]) => (holder === VersionId ? [stage] : []));

  /** A version's value, in the names of the API; `CreatedDate` is in Unix seconds. */
  const readValue = (VersionId: string, by: string) => {
    const { SecretString, CreatedDate = 0 } = versions.get(VersionId) ?? {};
    if (SecretString === undefined) throw notFound(by);
    return { VersionId, SecretString, VersionStages: stagesOf(VersionId), CreatedDate };
  };

  const secret = {
    arn,
    name,
    /** The value of a version, by default the current one. */
    read({ VersionId, VersionStage }: VersionSelector = {}) {
      const stage = VersionStage ?? 'AWSCURRENT';
      if (VersionId === undefined) return readValue(labels.get(stage) ?? '', `staging label: ${stage}`);
      const found = readValue(VersionId, `VersionId: ${VersionId}`);
      if (VersionStage === undefined || found.VersionStages.includes(VersionStage)) return found;
      throw new AwsError(
        'InvalidRequestException',
        'You provided a VersionStage that is not associated to the provided VersionId.',
      );
    },
    /** Staging labels by version id. */
    stages: (): Record<string, string[]> =>
      Object.fromEntries(Array.from(labels.values(), (VersionId) => [VersionId, stagesOf(VersionId)])),
    /** Sets the value of a version, which cannot change afterwards, and attaches labels to it. */
    write(VersionId: string, SecretString: string, stages: readonly string[]) {
      const { CreatedDate = now() / 1_000, ...version } = versions.get(VersionId) ?? {};
      if (version.SecretString !== undefined && version.SecretString !== SecretString) {
        throw new AwsError(
          'ResourceExistsException',
          'A resource with the ID you requested already exists: the value of a version cannot change.',
        );
      }
      versions.set(VersionId, { CreatedDate, SecretString });
      for (const stage of stages) attach(stage, VersionId);
      return readValue(VersionId, VersionId);
    },
    /** Moves a label to a version from the one that has it, which the caller has to name. */
    moveStage(stage: string, from: string | undefined, to: string): void {
      const holder = labels.get(stage);
      if (holder !== undefined && holder !== from && holder !== to) {
        throw new AwsError(
          'InvalidParameterException',
          `The parameter RemoveFromVersionId can't be empty or differ from ${holder}, which has the label ${stage}.`,
        );
      }
      if (!versions.has(to)) throw notFound(`VersionId: ${to}`);
      attach(stage, to);
    },
    /** Gives the label AWSPENDING to the id of a version without a value, or returns the id of an unfinished rotation's. */
    beginRotation(): string {
      const pending = labels.get('AWSPENDING');
      if (pending !== undefined && pending !== labels.get('AWSCURRENT')) return pending;
      const VersionId = randomUUID();
      versions.set(VersionId, {});
      attach('AWSPENDING', VersionId);
      return VersionId;
    },
  };
  secret.write(randomUUID(), value, ['AWSCURRENT']);
  return secret;
}

const scheduleProperties = z.strictObject({
  SecretId: z.string(),
  RotationLambdaARN: z.string(),
  RotationRules: z.optional(z.unknown()),
  // With true, a deployment rotates the secret immediately, which the local run does not do.
  RotateImmediatelyOnUpdate: z.literal(false),
});

type SecretRotation = ReturnType<typeof secretRotation>;

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Rotation of secrets, on request only: the intervals of rotation schedules are longer than a local run. */
export function secretRotation(
  deployment: Deployment,
  functionByArn: (functionArn: string) => LocalFunction,
) {
  const permissions = invokePermissions(deployment);
  const functions = new Map(
    deployment.ofType('AWS::SecretsManager::RotationSchedule').map((resource) => {
      const { SecretId, RotationLambdaARN } = propertiesOf(resource, scheduleProperties);
      return [SecretId, RotationLambdaARN];
    }),
  );
  const functionArn = ({ arn }: SecretVersions): string | undefined => functions.get(arn);

  return {
    functionArn,
    /** Rotates a secret and returns the id of its new version. @throws Error when its function does not do so. */
    async rotate(secret: SecretVersions): Promise<string> {
      const arn = functionArn(secret);
      if (arn === undefined) throw new Error(`The secret ${secret.name} has no rotation schedule.`);
      const call = { functionArn: arn, principal: 'secretsmanager.amazonaws.com', sourceArn: secret.arn };
      if (!mayInvoke(permissions, call)) {
        throw new Error(`Secrets Manager may not invoke ${arn}: the template gives no permission.`);
      }
      const version = secret.beginRotation();
      for (const Step of steps) {
        await functionByArn(arn).invoke({ Step, SecretId: secret.arn, ClientRequestToken: version });
      }
      if (secret.read().VersionId !== version) {
        throw new Error(`The rotation of ${secret.name} did not make the new version the current one.`);
      }
      return version;
    },
  };
}

const text = z.optional(z.string());

/** Supported properties of a secret; others are refused because they may change the value. */
const secretProperties = z.strictObject({
  Name: text,
  Description: text,
  GenerateSecretString: z.strictObject({
    PasswordLength: z.number().check(z.gte(3)),
    ExcludePunctuation: z.literal(true),
  }),
  Tags: z.optional(z.unknown()),
});

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphanumeric = `${letters}${letters.toUpperCase()}0123456789`;

/** Letters and digits, at least one of each kind, as Secrets Manager generates them. */
export function randomPassword(length: number): string {
  for (;;) {
    const password = Array.from({ length }, () => alphanumeric[randomInt(alphanumeric.length)]).join('');
    if ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password))) return password;
  }
}

/** The secret that a template describes, with a generated value and a clock in Unix milliseconds. */
export function secretOf(resource: Resource, now: () => number): SecretVersions {
  const { GenerateSecretString } = propertiesOf(resource, secretProperties);
  const name = /:secret:(.+)-[^-]{6}$/.exec(resource.ref)?.[1] ?? resource.ref;
  return createSecretVersions(resource.ref, name, randomPassword(GenerateSecretString.PasswordLength), now);
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

/** Secrets Manager with the secrets of the deployment and the functions that rotate them. */
export function secretsManager(secrets: readonly SecretVersions[], rotation: SecretRotation): AwsService {
  const find = (request: AwsRequest): SecretVersions => {
    const { SecretId } = bodyOf(request, onSecret);
    const secret = secrets.find(({ arn, name }) => arn === SecretId || name === SecretId);
    if (secret === undefined) {
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return secret;
  };

  const operations: ResourceOperations<SecretVersions> = {
    GetSecretValue: (secret, request) => secret.read(bodyOf(request, getSecretValue)),
    DescribeSecret(secret) {
      const RotationLambdaARN = rotation.functionArn(secret);
      const RotationEnabled = RotationLambdaARN !== undefined;
      return { RotationEnabled, RotationLambdaARN, VersionIdsToStages: secret.stages() };
    },
    // AWS responds first and rotates afterwards; here the caller waits until the rotation is complete.
    RotateSecret: async (secret) => ({ VersionId: await rotation.rotate(secret) }),
    PutSecretValue(secret, request) {
      const { SecretString, ClientRequestToken, VersionStages } = bodyOf(request, putSecretValue);
      const written = secret.write(ClientRequestToken, SecretString, VersionStages);
      return { VersionId: written.VersionId, VersionStages: written.VersionStages };
    },
    UpdateSecretVersionStage(secret, request) {
      const { VersionStage, RemoveFromVersionId, MoveToVersionId } = bodyOf(request, updateStage);
      secret.moveStage(VersionStage, RemoveFromVersionId, MoveToVersionId);
      return {};
    },
  };

  return resourceService('secretsmanager', operations, find, ({ arn, name }) => ({ ARN: arn, Name: name }));
}
