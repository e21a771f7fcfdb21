import { createSecretVersions } from '../../../infra/local/aws/secret-versions.ts';
import { randomPassword } from '../../../infra/local/aws/secrets-manager.ts';

let now = 1_000_500;
const secretWith = (value: string) => createSecretVersions('arn', 'signing', value, () => now);
const error = (code: string) => expect.objectContaining({ code });
const pending = { VersionStage: 'AWSPENDING' };
const previous = { VersionStage: 'AWSPREVIOUS' };

describe('a secret', () => {
  it('has one current version when it is created, and no previous one', () => {
    const secret = secretWith('first');
    expect(secret.read()).toMatchObject({ SecretString: 'first', VersionStages: ['AWSCURRENT'] });
    expect(() => secret.read(previous)).toThrow(error('ResourceNotFoundException'));
  });

  it('keeps the former current version as the previous one when a new one is written', () => {
    const secret = secretWith('first');
    secret.write('v2', 'second', ['AWSCURRENT']);
    secret.write('v3', 'third', ['AWSCURRENT']);
    expect(secret.read().SecretString).toBe('third');
    expect(secret.read(previous).SecretString).toBe('second');
    expect(Object.keys(secret.stages())).toHaveLength(2);
  });

  it('rotates: an empty pending version gets a value and becomes current', () => {
    const secret = secretWith('first');
    const before = secret.read().VersionId;
    const VersionId = secret.beginRotation();
    expect(secret.stages()[VersionId]).toEqual(['AWSPENDING']);
    expect(() => secret.read({ VersionId, ...pending })).toThrow(error('ResourceNotFoundException'));

    secret.write(VersionId, 'second', ['AWSPENDING']);
    expect(secret.read({ VersionId, ...pending }).SecretString).toBe('second');
    expect(secret.read().SecretString).toBe('first');

    secret.moveStage('AWSCURRENT', before, VersionId);
    expect(secret.read()).toMatchObject({ VersionId, SecretString: 'second' });
    expect(secret.read(previous)).toMatchObject({ VersionId: before, SecretString: 'first' });
    expect(secret.beginRotation()).not.toBe(VersionId);
  });

  it('says when the value of a version was created, in Unix seconds, and not when it became current', () => {
    const secret = secretWith('first');
    const { VersionId: before } = secret.read();
    now = 1_500_000;
    const version = secret.beginRotation();
    now = 2_000_000;
    secret.write(version, 'second', ['AWSPENDING']);
    now = 3_000_000;
    secret.moveStage('AWSCURRENT', before, version);
    expect(secret.read().CreatedDate).toBe(2_000);
    expect(secret.read(previous).CreatedDate).toBe(1_000.5);
  });

  it('resumes a rotation that was left unfinished', () => {
    const secret = secretWith('first');
    expect(secret.beginRotation()).toBe(secret.beginRotation());
  });

  it('keeps the value of a version, and accepts the same value again', () => {
    const secret = secretWith('first');
    secret.write('v2', 'second', ['AWSCURRENT']);
    expect(secret.write('v2', 'second', ['AWSCURRENT']).SecretString).toBe('second');
    expect(() => secret.write('v2', 'other', ['AWSCURRENT'])).toThrow(error('ResourceExistsException'));
  });

  it('moves a label only from the version that has it, and only to one that exists', () => {
    const secret = secretWith('first');
    secret.write('v2', 'second', ['AWSPENDING']);
    expect(() => secret.moveStage('AWSCURRENT', undefined, 'v2')).toThrow(error('InvalidParameterException'));
    expect(() => secret.moveStage('AWSPENDING', 'v2', 'v3')).toThrow(error('ResourceNotFoundException'));
    expect(secret.stages()['v2']).toEqual(['AWSPENDING']);
  });

  it('refuses a version that is requested by a label that it does not have', () => {
    const secret = secretWith('first');
    const { VersionId } = secret.read();
    expect(() => secret.read({ VersionId, ...pending })).toThrow(error('InvalidRequestException'));
  });
});

it('a generated password consists of letters and digits', () => {
  expect(randomPassword(64)).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(randomPassword(3)).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{3}$/);
});
