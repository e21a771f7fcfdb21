import { type App, Validations } from 'aws-cdk-lib';
import type { Environment } from '../environments.ts';
import { gapsOf } from './requirements.ts';

/** Makes every synthesis warn of each placeholder that is left, and of alarms that notify nobody. */
export function warnOfGaps(app: App, environment: Environment): void {
  const { name, alarmAddress, keepsData } = environment;
  for (const { place, fault } of gapsOf(environment)) {
    Validations.of(app).addWarning(`placeholder ${place}`, `${place} ${fault}; "npm run deploy" stops.`);
  }
  // Where data is kept, a missing address is such a gap.
  if (alarmAddress === undefined && !keepsData) {
    Validations.of(app).addWarning(
      'alarms-reach-nobody',
      `The alarms of ${name} notify nobody: give it an alarmAddress in infra/environments.ts.`,
    );
  }
}
