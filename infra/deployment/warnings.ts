import { type App, Validations } from 'aws-cdk-lib';
import type { Environment } from '../environments.ts';
import { gapsOf } from './requirements.ts';

/** Makes every synthesis warn of each placeholder that is left, and of alarms that notify nobody. */
export function warnOfGaps(app: App, environment: Environment): void {
  for (const { place, fault } of gapsOf(environment)) {
    Validations.of(app).addWarning(`placeholder ${place}`, `${place} ${fault}; "npm run deploy" stops.`);
  }
  // Where data is kept, a missing address is such a gap.
  if (environment.keepsData) return;
  for (const silence of silentAlarms(environment)) {
    Validations.of(app).addWarning('alarms-reach-nobody', silence);
  }
}

/** Which of the environment's alarms notify nobody, a sentence for each severity. */
export function silentAlarms({ name, pageAddress, ticketAddress }: Environment): string[] {
  return Object.entries({ pageAddress, ticketAddress })
    .filter(([, address]) => address === undefined)
    .map(([field]) => `Alarms of ${name} notify nobody: its entry in infra/environments.ts has no ${field}.`);
}
