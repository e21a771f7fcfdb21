import { GetObjectCommand, paginateListObjectsV2, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { clientDefaults } from '../../platform/aws/client-defaults.ts';
import { jsonText } from '../../platform/data/json.ts';
import { addDays, type CalendarDate, datesFrom, newYorkDate } from '../../platform/dates/dates.ts';
import { npn } from '../identifiers/identifiers.ts';
import { type ListedChanges, pollEveryDays, type RegistryChanges, RegistryUnavailable } from './registry.ts';

// The holder of the contract with the registry puts its list of each working day into a bucket, as `2026-11-27.txt`: the NPNs
// whose records changed, one a line. An empty file says that nothing did. One may come late, or again.

/** A file of a bucket: its text, and what tells whether it is as it was. */
interface ChangeFile {
  readonly name: string;
  readonly version: string;
}

/** The files of a bucket. @throws RegistryUnavailable where it cannot be read now. */
export interface ChangeFiles {
  /** The files whose names follow another. */
  list(after: string): Promise<readonly ChangeFile[]>;
  read(name: string): Promise<string>;
}

/** Days for which a missing list is waited for. By then all NPNs were asked for once more. */
const waitedForDays = pollEveryDays;

const progress = z.object({
  /** The first day whose list counts. */
  since: z.iso.date(),
  /** The version of each day's list that was read, and whether all of its lines could be. */
  read: z.record(z.iso.date(), z.object({ version: z.string(), isComplete: z.boolean() })),
});

type Progress = z.output<typeof progress>;

const isWorkingDay = (day: CalendarDate): boolean => ![0, 6].includes(new Date(day).getUTCDay());

const fileOf = (day: CalendarDate): string => `${day}.txt`;

/**
 * The beginning of a day in New York's winter, and an hour later in its summer. A list names what changed before its day, at least.
 */
const beginningOf = (day: CalendarDate): string => `${day}T05:00:00.000Z`;

/** The NPNs of a list. A line that is none may be somebody's whose records changed: it is not a list of all of them then. */
function npnsOf(text: string): { readonly npns: string[]; readonly isComplete: boolean } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  const npns = written.flatMap((line) => z.safeParse(npn, line).data ?? []);
  return { npns, isComplete: npns.length === written.length };
}

/**
 * Reads the lists that are new or have changed since an earlier question, also those of days before the last one.
 * @param cursor JSON of `Progress`. Without one, the first list that counts is the latest.
 */
export async function changesIn(
  files: ChangeFiles,
  cursor: string | undefined,
  now: Date,
): Promise<RegistryChanges> {
  const today = newYorkDate(now);
  const before = cursor === undefined ? undefined : z.parse(z.pipe(jsonText, progress), cursor);
  const waitedFrom = addDays(today, -waitedForDays);
  const from = before === undefined || before.since < waitedFrom ? waitedFrom : before.since;
  const listed = (await files.list(fileOf(addDays(from, -1)))).flatMap(({ name, version }) => {
    const [, day] = /^(\d{4}-\d\d-\d\d)\.txt$/.exec(name) ?? [];
    return day === undefined || day > today ? [] : [{ day, version }];
  });
  const since = before === undefined ? (listed.at(-1)?.day ?? today) : from;
  const counting = listed.filter(({ day }) => day >= since);
  const read: Progress['read'] = {};
  const npns: string[] = [];
  for (const { day, version } of counting) {
    const known = before?.read[day];
    if (known?.version === version) {
      read[day] = known;
      continue;
    }
    const list = npnsOf(await files.read(fileOf(day)));
    npns.push(...list.npns);
    read[day] = { version, isComplete: list.isComplete };
  }
  const missing = missingAmong(read, since, addDays(today, 1)).filter(
    (day) => day < today || read[day] !== undefined,
  );
  const [firstMissing = addDays(today, 1)] = missing;
  const until = counting.findLast(({ day }) => day < firstMissing)?.day;
  const isGivenUp = before !== undefined && missingAmong(before.read, before.since, since).length > 0;
  return {
    npns,
    cursor: JSON.stringify({ since, read } satisfies Progress),
    missing,
    ...(until === undefined ? {} : { until: beginningOf(until) }),
    ...(isGivenUp ? { gapUntil: beginningOf(addDays(since, 1)) } : {}),
  };
}

/** The days from one to another, not included, without a list that names everybody. On a weekend there need be none. */
const missingAmong = (read: Progress['read'], from: CalendarDate, until: CalendarDate): CalendarDate[] =>
  datesFrom(from, until).filter((day) => !(read[day]?.isComplete ?? !isWorkingDay(day)));

async function read<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    throw new RegistryUnavailable('The lists of changes of the registry could not be read.', { cause });
  }
}

/** Reads the lists of changes in a bucket. */
export function createS3Changes(bucket: string, options: S3ClientConfig = {}): ListedChanges {
  const client = new S3Client({ ...clientDefaults('s3'), ...options });
  const files: ChangeFiles = {
    list: (after) =>
      read(
        (async () => {
          const pages = paginateListObjectsV2({ client }, { Bucket: bucket, StartAfter: after });
          const files = [];
          for await (const { Contents = [] } of pages) {
            for (const { Key = '', ETag = '' } of Contents) files.push({ name: Key, version: ETag });
          }
          return files;
        })(),
      ),
    read: (name) =>
      read(
        client
          .send(new GetObjectCommand({ Bucket: bucket, Key: name }))
          .then(({ Body }) => Body?.transformToString() ?? ''),
      ),
  };
  return (cursor, now) => changesIn(files, cursor, now);
}
