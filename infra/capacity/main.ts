// `npm run capacity`: writes capacity.md from the measured costs, the prices, and the assumptions.
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { measuredCosts } from './measured-costs.ts';
import { capacityPage } from './page.ts';

const measured = z.parse(
  measuredCosts,
  JSON.parse(readFileSync('infra/capacity/measured-costs.json', 'utf8')),
);
writeFileSync('infra/capacity.md', capacityPage(measured));
process.stdout.write('infra/capacity.md is written.\n');
