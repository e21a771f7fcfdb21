import { randomInt, randomUUID } from 'node:crypto';
import { AwsError } from './service.ts';

/**
 * One secret of Secrets Manager with its versions and staging labels. A label is on at most one version; whatever takes
 * AWSCURRENT from a version gives that version AWSPREVIOUS.
 */
export interface SecretVersions {
  readonly arn: string;
  readonly name: string;
  /** Value by version id, by label or by both; the current one unless told. */
  read(by: { readonly versionId?: string; readonly stage?: string }): SecretValue;
  /** Staging labels by version id. */
  stages(): Record<string, string[]>;
  write(
    value: string,
    options?: { readonly versionId?: string; readonly stages?: readonly string[] },
  ): SecretValue;
  moveStage(stage: string, move: { readonly from?: string; readonly to?: string }): void;
  /** Opens a version without a value, labelled AWSPENDING, for a rotation to fill; goes on with one that was left open. */
  beginRotation(): string;
}

export interface SecretValue {
  readonly versionId: string;
  readonly value: string;
  readonly stages: readonly string[];
  readonly createdAt: number;
}

interface Version {
  value: string | undefined;
  readonly stages: Set<string>;
  readonly createdAt: number;
}

const notFound = (by: string): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${by}.`,
  );

export function createSecretVersions(identity: {
  readonly arn: string;
  readonly name: string;
  readonly value: string;
}): SecretVersions {
  const versions = new Map<string, Version>();

  const holderOf = (stage: string): string | undefined =>
    Array.from(versions).find(([, version]) => version.stages.has(stage))?.[0];

  const attach = (stage: string, versionId: string): void => {
    const target = versions.get(versionId);
    if (target === undefined) throw notFound(`VersionId: ${versionId}`);
    const holder = holderOf(stage);
    if (holder === versionId) return;
    if (holder !== undefined) versions.get(holder)?.stages.delete(stage);
    target.stages.add(stage);
    if (stage === 'AWSCURRENT' && holder !== undefined) attach('AWSPREVIOUS', holder);
  };

  const valued = (versionId: string, by: string): SecretValue => {
    const version = versions.get(versionId);
    if (version?.value === undefined) throw notFound(by);
    return { versionId, value: version.value, stages: [...version.stages], createdAt: version.createdAt };
  };

  const secret: SecretVersions = {
    arn: identity.arn,
    name: identity.name,
    read({ versionId, stage }) {
      if (versionId === undefined) {
        const label = stage ?? 'AWSCURRENT';
        return valued(holderOf(label) ?? '', `staging label: ${label}`);
      }
      const value = valued(versionId, `VersionId: ${versionId}`);
      if (stage !== undefined && !value.stages.includes(stage)) {
        throw new AwsError(
          'InvalidRequestException',
          'You provided a VersionStage that is not associated to the provided VersionId.',
        );
      }
      return value;
    },
    stages: () =>
      Object.fromEntries(
        Array.from(versions)
          .filter(([, version]) => version.stages.size > 0)
          .map(([versionId, version]) => [versionId, [...version.stages]]),
      ),
    write(value, { versionId = randomUUID(), stages = ['AWSCURRENT'] } = {}) {
      const existing = versions.get(versionId);
      if (existing?.value !== undefined && existing.value !== value) {
        throw new AwsError(
          'ResourceExistsException',
          'A resource with the ID you requested already exists: a version keeps the value it was made with.',
        );
      }
      if (existing === undefined) {
        versions.set(versionId, { value, stages: new Set(), createdAt: Date.now() / 1_000 });
      } else {
        existing.value = value;
      }
      for (const stage of stages) attach(stage, versionId);
      return valued(versionId, `VersionId: ${versionId}`);
    },
    moveStage(stage, { from, to }) {
      const holder = holderOf(stage);
      if (holder !== undefined && holder !== from && holder !== to) {
        throw new AwsError(
          'InvalidParameterException',
          `The parameter RemoveFromVersionId can't be empty or differ from ${holder}, which has the label ${stage}.`,
        );
      }
      if (to !== undefined) attach(stage, to);
      else if (holder !== undefined) versions.get(holder)?.stages.delete(stage);
    },
    beginRotation() {
      const pending = holderOf('AWSPENDING');
      if (pending !== undefined && pending !== holderOf('AWSCURRENT')) return pending;
      const versionId = randomUUID();
      versions.set(versionId, { value: undefined, stages: new Set(), createdAt: Date.now() / 1_000 });
      attach('AWSPENDING', versionId);
      return versionId;
    },
  };
  secret.write(identity.value);
  return secret;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const classes = {
  lower,
  upper: lower.toUpperCase(),
  digits: '0123456789',
  punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
} as const;

/** A random password as Secrets Manager makes one: at least one character of every type that is not excluded. */
export function randomPassword(rules: {
  readonly length?: number | undefined;
  readonly excludePunctuation?: boolean | undefined;
  readonly excludeCharacters?: string | undefined;
}): string {
  const { length = 32, excludePunctuation = false, excludeCharacters = '' } = rules;
  const types = [
    classes.lower,
    classes.upper,
    classes.digits,
    ...(excludePunctuation ? [] : [classes.punctuation]),
  ].map((type) => Array.from(type).filter((character) => !excludeCharacters.includes(character)));
  const all = types.flat();
  const pick = (from: readonly string[]): string => from[randomInt(from.length)] ?? '';
  const characters = types.filter((type) => type.length > 0).map(pick);
  while (characters.length < length) {
    characters.splice(randomInt(characters.length + 1), 0, pick(all));
  }
  return characters.join('');
}
