import { createSecretVersions, randomPassword } from '../../../infra/local/aws/secret-versions.ts';

const secretWith = (value: string) => createSecretVersions({ arn: 'arn', name: 'signing', value });
const error = (code: string) => expect.objectContaining({ code });

describe('a secret', () => {
  it('has one current version when it is made, and no previous one', () => {
    const secret = secretWith('first');
    expect(secret.read({})).toMatchObject({ value: 'first', stages: ['AWSCURRENT'] });
    expect(() => secret.read({ stage: 'AWSPREVIOUS' })).toThrow(error('ResourceNotFoundException'));
  });

  it('makes the former current version the previous one when a new one is written', () => {
    const secret = secretWith('first');
    secret.write('second');
    secret.write('third');
    expect(secret.read({}).value).toBe('third');
    expect(secret.read({ stage: 'AWSPREVIOUS' }).value).toBe('second');
    expect(Object.keys(secret.stages())).toHaveLength(2);
  });

  it('rotates: an empty pending version, filled, then made current', () => {
    const secret = secretWith('first');
    const before = secret.read({}).versionId;
    const version = secret.beginRotation();
    expect(secret.stages()[version]).toEqual(['AWSPENDING']);
    expect(() => secret.read({ versionId: version, stage: 'AWSPENDING' })).toThrow(
      error('ResourceNotFoundException'),
    );

    secret.write('second', { versionId: version, stages: ['AWSPENDING'] });
    expect(secret.read({ versionId: version, stage: 'AWSPENDING' }).value).toBe('second');
    expect(secret.read({}).value).toBe('first');

    secret.moveStage('AWSCURRENT', { from: before, to: version });
    expect(secret.read({})).toMatchObject({ versionId: version, value: 'second' });
    expect(secret.read({ stage: 'AWSPREVIOUS' })).toMatchObject({ versionId: before, value: 'first' });
    expect(secret.beginRotation()).not.toBe(version);
  });

  it('goes on with a rotation that was left unfinished', () => {
    const secret = secretWith('first');
    expect(secret.beginRotation()).toBe(secret.beginRotation());
  });

  it('keeps the value of a version, and takes the same value again', () => {
    const secret = secretWith('first');
    secret.write('second', { versionId: 'v2' });
    expect(secret.write('second', { versionId: 'v2' }).value).toBe('second');
    expect(() => secret.write('other', { versionId: 'v2' })).toThrow(error('ResourceExistsException'));
  });

  it('moves a label only from the version that has it', () => {
    const secret = secretWith('first');
    secret.write('second', { versionId: 'v2', stages: ['AWSPENDING'] });
    expect(() => secret.moveStage('AWSCURRENT', { to: 'v2' })).toThrow(error('InvalidParameterException'));
    expect(() => secret.moveStage('AWSPENDING', { from: 'v2', to: 'v3' })).toThrow(
      error('ResourceNotFoundException'),
    );
    secret.moveStage('AWSPENDING', { from: 'v2' });
    expect(secret.stages()['v2']).toBeUndefined();
  });

  it('refuses a version asked for by a label that it does not have', () => {
    const secret = secretWith('first');
    const { versionId } = secret.read({});
    expect(() => secret.read({ versionId, stage: 'AWSPENDING' })).toThrow(error('InvalidRequestException'));
  });
});

describe('a generated password', () => {
  it('has the length and the characters it is asked for', () => {
    const password = randomPassword({ length: 64, excludePunctuation: true, excludeCharacters: 'abc' });
    expect(password).toMatch(/^[A-Zd-z0-9]{64}$/);
    expect(randomPassword({})).toHaveLength(32);
  });
});
