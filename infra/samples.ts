// The sample records in `functions/import/samples`: what operators see as examples, and what the demo of the local run imports;
// apart from both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type CalendarDate, daysBetween } from '#platform/dates/dates.ts';

const folder = join('functions', 'import', 'samples');

/** The files, by the kind of the organization that owns their records. The agency’s comes first: the carrier’s refers to it. */
export const sampleFiles = {
  downstream: join(folder, 'agency.ndjson'),
  upstream: join(folder, 'carrier.ndjson'),
} as const;

/** The day as of which the samples are written: it is their sweep that finds licenses. */
const writtenOn = '2026-03-01';

/** The lines of a sample file; with a day, every date is moved as if they were written on that day. */
export function sampleLines(owner: keyof typeof sampleFiles, day: CalendarDate = writtenOn): string[] {
  const days = daysBetween(writtenOn, day);
  const text = readFileSync(sampleFiles[owner], 'utf8').trim();
  return text.replaceAll(/\b\d{4}-\d{2}-\d{2}(?=\b|T)/g, (date) => addDays(date, days)).split('\n');
}
