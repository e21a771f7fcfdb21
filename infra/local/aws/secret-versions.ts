import { randomUUID } from 'node:crypto';
import { AwsError } from './service.ts';

/** One version of a secret, in the names of the API. */
interface Version {
  readonly VersionId: string;
  /** Undefined until a rotation sets it. */
  SecretString: string | undefined;
  /** Staging labels. */
  readonly stages: Set<string>;
  /** Unix seconds. */
  readonly CreatedDate: number;
}

interface SecretValue extends Pick<Version, 'VersionId' | 'CreatedDate'> {
  readonly SecretString: string;
  readonly VersionStages: readonly string[];
}

/** A version by id, by label or by both. */
interface VersionSelector {
  readonly VersionId?: string | undefined;
  readonly VersionStage?: string | undefined;
}

export type SecretVersions = ReturnType<typeof createSecretVersions>;

const notFound = (by: string): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${by}.`,
  );

/**
 * One secret of Secrets Manager with its versions, whose current version has the given value. A staging label is attached
 * to at most one version; the version that loses AWSCURRENT gets AWSPREVIOUS.
 */
export function createSecretVersions(arn: string, name: string, value: string) {
  const versions = new Map<string, Version>();

  const holderOf = (stage: string): Version | undefined =>
    Array.from(versions.values()).find(({ stages }) => stages.has(stage));

  const versionOf = (VersionId: string): Version => {
    const created = { VersionId, SecretString: undefined, stages: new Set<string>() };
    const version = versions.get(VersionId) ?? { ...created, CreatedDate: Date.now() / 1_000 };
    versions.set(VersionId, version);
    return version;
  };

  const attach = (stage: string, target: Version): void => {
    const holder = holderOf(stage);
    if (holder === target) return;
    holder?.stages.delete(stage);
    target.stages.add(stage);
    if (stage === 'AWSCURRENT' && holder !== undefined) attach('AWSPREVIOUS', holder);
  };

  const readValue = (version: Version | undefined, by: string): SecretValue => {
    if (version?.SecretString === undefined) throw notFound(by);
    const { VersionId, SecretString, stages, CreatedDate } = version;
    return { VersionId, SecretString, VersionStages: [...stages], CreatedDate };
  };

  const secret = {
    arn,
    name,
    /** The value of a version, by default the current one. */
    read({ VersionId, VersionStage }: VersionSelector = {}): SecretValue {
      const stage = VersionStage ?? 'AWSCURRENT';
      if (VersionId === undefined) return readValue(holderOf(stage), `staging label: ${stage}`);
      const found = readValue(versions.get(VersionId), `VersionId: ${VersionId}`);
      if (VersionStage === undefined || found.VersionStages.includes(VersionStage)) return found;
      throw new AwsError(
        'InvalidRequestException',
        'You provided a VersionStage that is not associated to the provided VersionId.',
      );
    },
    /** Staging labels by version id. */
    stages: (): Record<string, string[]> =>
      Object.fromEntries(
        Array.from(versions.values())
          .filter(({ stages }) => stages.size > 0)
          .map(({ VersionId, stages }) => [VersionId, [...stages]]),
      ),
    /** Sets the value of a version, which cannot change afterwards, and attaches labels to it. */
    write(VersionId: string, SecretString: string, stages: readonly string[]): SecretValue {
      const version = versionOf(VersionId);
      if (version.SecretString !== undefined && version.SecretString !== SecretString) {
        throw new AwsError(
          'ResourceExistsException',
          'A resource with the ID you requested already exists: the value of a version cannot change.',
        );
      }
      version.SecretString = SecretString;
      for (const stage of stages) attach(stage, version);
      return readValue(version, VersionId);
    },
    /** Moves a label to a version from the one that has it, which the caller has to name. */
    moveStage(stage: string, from: string | undefined, to: string): void {
      const holder = holderOf(stage)?.VersionId;
      if (holder !== undefined && holder !== from && holder !== to) {
        throw new AwsError(
          'InvalidParameterException',
          `The parameter RemoveFromVersionId can't be empty or differ from ${holder}, which has the label ${stage}.`,
        );
      }
      const target = versions.get(to);
      if (target === undefined) throw notFound(`VersionId: ${to}`);
      attach(stage, target);
    },
    /** Creates a version with the label AWSPENDING and no value, or returns the id of an unfinished rotation's. */
    beginRotation(): string {
      const pending = holderOf('AWSPENDING');
      if (pending !== undefined && !pending.stages.has('AWSCURRENT')) return pending.VersionId;
      const version = versionOf(randomUUID());
      attach('AWSPENDING', version);
      return version.VersionId;
    },
  };
  secret.write(randomUUID(), value, ['AWSCURRENT']);
  return secret;
}
