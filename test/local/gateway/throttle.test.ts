import * as z from 'zod/mini';
import { createThrottle, methodSettings } from '../../../infra/local/gateway/throttle.ts';

let now = 0;
const admits = createThrottle(
  [
    { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
    {
      HttpMethod: 'GET',
      ResourcePath: '/~1v2~1policies~1{policyId}',
      ThrottlingRateLimit: 10,
      ThrottlingBurstLimit: 3,
    },
  ],
  () => now,
);
const admitted = (path: string, method: string, times: number): number =>
  Array.from({ length: times }, () => admits(path, method)).filter(Boolean).length;

beforeEach(() => {
  now += 60_000;
});

it('admits a burst, and then requests at its rate', () => {
  expect(admitted('/v2/policies/{policyId}', 'GET', 5)).toBe(3);
  now += 250;
  expect(admitted('/v2/policies/{policyId}', 'GET', 5)).toBe(2);
});

it('has a bucket for each method without a setting of its own', () => {
  expect(admitted('/{proxy+}', 'GET', 3)).toBe(1);
  expect(admitted('/{proxy+}', 'POST', 3)).toBe(1);
  expect(admitted('/v2/policies/{policyId}', 'DELETE', 3)).toBe(1);
});

it('admits everything without settings', () => {
  const open = createThrottle([{ HttpMethod: '*', ResourcePath: '/*', LoggingLevel: 'ERROR' }]);
  expect(Array.from({ length: 100 }, () => open('/', 'GET'))).not.toContain(false);
});

it('refuses an unknown setting', () => {
  const cached = [{ HttpMethod: '*', ResourcePath: '/*', CachingEnabled: true }];
  expect(z.safeParse(methodSettings, cached).success).toBe(false);
});
