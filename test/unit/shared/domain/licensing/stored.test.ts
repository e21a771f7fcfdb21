import * as z from 'zod/mini';
import { licenseRequestItem, storedLicenseRequest } from '../../../../../shared/domain/licensing/stored.ts';

const request = {
  _id: '65f0c1d2e3a4b5c6d7e8f920',
  downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
  type: 'new',
  stateCode: 'TX',
  npn: '17654321',
  licenseNumber: null,
  linesOfAuthority: [],
  notes: null,
  createdAt: '2026-03-01T14:05:09.123Z',
  updatedAt: '2026-03-02T14:05:09.123Z',
} as const;
const history = (last: string) =>
  [
    { status: 'submitted', at: request.createdAt },
    { status: last, at: request.updatedAt },
  ] as const;

test('a request that was stored as cancelled is read as canceled', () => {
  const canceled = { ...request, status: 'canceled', statusHistory: history('canceled') };
  const before = { ...request, status: 'cancelled', statusHistory: history('cancelled') };
  expect(z.parse(storedLicenseRequest, before)).toEqual(canceled);
  const item = licenseRequestItem('owner', z.parse(storedLicenseRequest, canceled));
  expect(z.parse(storedLicenseRequest, item)).toEqual(canceled);
});
