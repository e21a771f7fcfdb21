import { simulateVisits } from '../../../../infra/capacity/simulated-visits.ts';
import { environments } from '../../../../infra/environments.ts';
import { reconciliationHour, sweepHour } from '../../../../shared/domain/registry-reconciliation/hours.ts';

const prod = {
  perSecond: environments.prod.registryVisits.perSecond,
  workers: environments.prod.capacity.workers['registry-reconciliation'],
};
const nightSeconds = (24 - reconciliationHour + sweepHour) * 3_600;

test('in prod a million NPNs are visited between the evening and the sweep, also where a visit takes three seconds', () => {
  for (const visitSeconds of [1, 3]) {
    expect(simulateVisits({ npns: 1_000_000, visitSeconds, ...prod })).toBeLessThan(nightSeconds);
  }
});

test('visits take as long as their turns', () => {
  expect(simulateVisits({ npns: 100, perSecond: 10, workers: 2, visitSeconds: 0.1 })).toBeCloseTo(10);
});

test('where visits are slow, they take as long as the workers need', () => {
  // A job of 25 takes 12.5 seconds, its turns among them, and there is one worker.
  const one = { npns: 50, perSecond: 10, workers: 1, visitSeconds: 10.1 };
  expect(simulateVisits(one)).toBeCloseTo(25);
  expect(simulateVisits({ ...one, workers: 2 })).toBeCloseTo(15);
});

test('no NPNs take no time', () => {
  expect(simulateVisits({ npns: 0, perSecond: 10, workers: 2, visitSeconds: 1 })).toBe(0);
});
