// `npm run registry-visits -- [NPNs]`: how long a night's visits of the registry take in each environment, and what they
// cost. It simulates the workers and their turns; nothing is visited.

import { reconciliationHour, sweepHour } from '../../shared/domain/registry-reconciliation/hours.ts';
import { deployedEnvironments, environments } from '../environments.ts';
import { simulateVisits } from './simulated-visits.ts';

const [given = '1000000'] = process.argv.slice(2);
const npns = Number(given);
if (!Number.isInteger(npns) || npns < 1) throw new Error(`${given} is not a number of NPNs.`);

const nightHours = 24 - reconciliationHour + sweepHour;
const amount = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

for (const name of deployedEnvironments) {
  const { registryVisits, capacity } = environments[name];
  const { perSecond, priceInUSD } = registryVisits;
  const workers = capacity.workers['registry-reconciliation'];
  const lines = [1, 3, 10].map((visitSeconds) => {
    const hours = simulateVisits({ npns, perSecond, workers, visitSeconds }) / 3_600;
    const isInTime =
      hours <= nightHours ? 'before the sweep' : `${(hours - nightHours).toFixed(1)} h after the sweep began`;
    return `  a visit of ${visitSeconds} s: ${hours.toFixed(1)} h, done ${isInTime}`;
  });
  process.stdout.write(
    `${name}: ${amount(npns)} NPNs, ${perSecond} visits a second, ${workers} workers, from ${reconciliationHour}:00\n${lines.join('\n')}\n  registry: $${amount(npns * priceInUSD)} a day, $${amount(npns * priceInUSD * 30)} in 30 days, at $${priceInUSD} a visit\n`,
  );
}
