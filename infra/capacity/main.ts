// `npm run capacity`: writes capacity.md from the measured costs, the prices, and the assumptions.
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { measuredCosts } from './measured-costs.ts';
import { capacityPage } from './page.ts';

const measured = z.parse(
  measuredCosts,
  JSON.parse(readFileSync('infra/capacity/measured-costs.json', 'utf8')),
);
const page = capacityPage(measured);
writeFileSync('infra/capacity.md', page);
const summary = page
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .slice(0, 3);
process.stdout.write(`${summary.join('\n')}\nThe rest is in infra/capacity.md.\n`);
