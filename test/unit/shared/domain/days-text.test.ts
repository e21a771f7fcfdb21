import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { daysText } from '#domain/decision/days-text.ts';
import {
  appointmentImport,
  appointmentReport,
  type CaseCommand,
  recordedBy,
  terminated,
} from '../../../decision/case-rows.ts';

const textOf = (...commands: readonly CaseCommand[]) => daysText(coverageOf(recordedBy(commands), never));

it('differs where an earlier file says that what a report has as ended was ended for cause', () => {
  const report = appointmentReport('2026-03-05', terminated());
  const file = appointmentImport('2026-03-01', terminated({ terminationReason: 'For Cause' }));
  expect(textOf(report, file)).not.toEqual(textOf(report));
});
