import { randomUUID } from 'node:crypto';
import { AwsError } from './service.ts';

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
