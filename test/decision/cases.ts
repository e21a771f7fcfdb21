import type { Case } from './case-rows.ts';
import { appointmentCases } from './cases/appointments.ts';
import { dayCases } from './cases/days.ts';
import { licenseCases } from './cases/licenses.ts';
import { reportCases } from './cases/reports.ts';
import { requirementCases } from './cases/requirements.ts';
import { rowCases } from './cases/rows.ts';

/** The rules of the decision (`rules.ts`) at work. */
export const cases: readonly Case[] = [
  ...reportCases,
  ...dayCases,
  ...rowCases,
  ...licenseCases,
  ...appointmentCases,
  ...requirementCases,
];
