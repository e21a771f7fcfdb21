import * as fc from 'fast-check';
import { beacon } from './case-rows.ts';
import { answerOf, asked, commands, configs, histories, recordedBy } from './histories.ts';
import { decideNaively } from './naive.ts';

it('agrees with the naive implementation', async () => {
  await fc.assert(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const { complianceStatus, licenseStatus, appointmentStatus, configBasis } = answerOf(
        recordedBy(history),
        question,
        versions,
      );
      expect({
        complianceStatus,
        licenseStatus: licenseStatus.statusName,
        appointmentStatus: appointmentStatus.statusName,
        configBasis,
      }).toEqual(decideNaively({ commands: history, ...question, configs: versions, carrier: beacon }));
    }),
    { numRuns: histories },
  );
});
