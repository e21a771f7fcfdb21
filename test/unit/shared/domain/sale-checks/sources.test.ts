import { createHash } from 'node:crypto';
import { canonicalize } from 'json-canonicalize';
import type { StoredConfigVersion } from '../../../../../shared/domain/compliance/stored.ts';
import type { ClassKindVersion } from '../../../../../shared/domain/decision/classes.ts';
import { exampleRegulatoryAction } from '../../../../../shared/domain/registry/resources.ts';
import {
  sourceOfClassKind,
  sourceOfConfig,
  sourceOfFact,
  withHash,
} from '../../../../../shared/domain/sale-checks/sources.ts';
import { sampleAppointment, sampleLicense } from '../../../../support/sample-records.ts';

const npn = '8123456';
const recording = {
  pk: `65f0c1d2e3a4b5c6d7e8f900#NPN#${npn}`,
  stateCode: 'TX',
  commandId: 'command',
  commandAt: '2026-06-01T09:00:00.000Z',
  recordedAt: '2026-06-01T09:00:01.000Z',
  by: 'reconciliation',
  isSilent: false,
};
const stated = { ...recording, what: 'stated', key: 'key', validFrom: '2026-05-01' };
const license = { ...stated, sk: 'FACT#TX#LICENSE#1', rows: [sampleLicense()] };
const appointment = { ...stated, sk: 'FACT#TX#APPOINTMENT#1', rows: [sampleAppointment()] };
const action = { ...stated, sk: 'FACT#TX#ACTION#1', actionId: 'A-1', action: exampleRegulatoryAction };
const list = { ...recording, sk: 'FACT#TX#CLOSED#license#1', kind: 'license' };
const config: StoredConfigVersion = {
  productId: '65f0c1d2e3a4b5c6d7e8f905',
  productName: 'Cargo',
  states: [{ stateCode: 'TX', linesOfAuthority: ['16', { anyOf: ['11', '12'] }], appointment: 'required' }],
  validFrom: '2026-01-01',
  recordedAt: recording.recordedAt,
  isSilent: false,
};
const kind: ClassKindVersion = {
  stateCode: 'TX',
  classCode: 'X',
  className: null,
  kind: 'producer',
  isOwn: true,
  recordedAt: recording.recordedAt,
};

// A receipt is checked for ten years: whoever has to change one of these has to raise `rulesNumber`.
it.each<[string, object, string]>([
  ['a license', sourceOfFact(npn, license), 'wEUqtwqTkg4hHamNnXoQFANkuDwAOVYaee6jOr2ZedE'],
  ['an appointment', sourceOfFact(npn, appointment), 'dMW0RAlJfJ_D9NAvxGtIZXk9cxfrppwzmyuR5MoKYTg'],
  ['a regulatory action', sourceOfFact(npn, action), 'UUJB83y9n6CQjdYfrxTjNFEIYDMnhylErjLB7ebwwSE'],
  ['a list', sourceOfFact(npn, list), 'YfjKgEYI7GbcNLQ-wF0Q0G7aprr-DR8psi3iGLH_L84'],
  ['a config', sourceOfConfig(config), 'vmU3wF6M-uThLx43Qse6p0UlPUJT659SnVAzLGPzbtE'],
  ['a kind of a class', sourceOfClassKind(kind), 'L10bjxwEcRpiYs-1m4rFU5lpiAUXKLE2MME0G0cKft8'],
])('%s has the same hash in every release', (_, source, hash) => {
  const again = createHash('sha256').update(canonicalize(source)).digest('base64url');
  expect([again, withHash(source as { id: string }).hash]).toEqual([hash, hash]);
});

it('does not depend on what the service itself adds, nor on the order of members', () => {
  const [row] = license.rows;
  const reversed = Object.fromEntries(Object.entries(row ?? {}).reverse());
  const others = {
    registryDataSubscriptionId: 'b'.repeat(24),
    updatedAt: '2030-01-01T00:00:00.000Z',
    more: 1,
  };
  const changed = { ...license, isSilent: true, rows: [{ ...reversed, ...others }], more: 1 };
  expect(withHash(sourceOfFact(npn, changed))).toEqual(withHash(sourceOfFact(npn, license)));
});

it.each<[string, (row: Record<string, unknown>) => object]>([
  ['the number', () => ({ licenseNumber: '2' })],
  ['the class', () => ({ licenseClassName: 'Adjuster' })],
  ['the residency', () => ({ residencyStatus: 'non-resident' })],
  ['the status', () => ({ status: 'Revoked' })],
  ['the day of the status', () => ({ statusDate: '2026-05-01' })],
  ['the beginning', () => ({ issueDate: '2020-01-01' })],
  ['the end', () => ({ expirationDate: '2030-01-01' })],
  ['a line', () => ({ linesOfAuthority: [] })],
])('depends on %s of a license', (_, changeOf) => {
  const [row] = license.rows;
  const changed = { ...license, rows: [{ ...row, ...changeOf({ ...row }) }] };
  expect(withHash(sourceOfFact(npn, changed)).hash).not.toBe(withHash(sourceOfFact(npn, license)).hash);
});
