// The contract's sentence about a day, over the list of what was recorded when; it shares no code with the product. Days
// are numbers.

/** What a record said of itself when it was written. */
export interface Written {
  /** The day, in New York, on which it was written. */
  readonly on: number;
  readonly isActive: boolean;
  /** No longer reported, or deleted by an import. */
  readonly isGone: boolean;
  /** The first day by the record's own date. */
  readonly first: number | null;
  /** The last one. */
  readonly last: number | null;
  /** The date of the status, which only appointments have. */
  readonly statusDate: number | null;
  /** What the dates don't tell, such as lines of authority. */
  readonly content: string;
  /** The first day that an import gave. */
  readonly given: number | null;
}

interface Version extends Written {
  readonly counts: boolean;
  /** The day on which it begins, or ended the record. */
  readonly from: number;
}

const always = Number.NEGATIVE_INFINITY;

/** The versions: what was written and differed from what was written before. */
export function versionsOf(all: readonly Written[]): Version[] {
  const versions: Version[] = [];
  for (const written of all) {
    const before = versions.at(-1);
    const on = Math.max(written.on, before?.on ?? written.on);
    const counts = written.isActive && !written.isGone;
    const terms = (one: Written, isGone: boolean) =>
      JSON.stringify([one.isActive && !isGone, one.first, one.last, isGone ? null : one.statusDate]);
    const says = (one: Written) =>
      JSON.stringify([one.isActive, one.isGone, one.first, one.last, one.statusDate, one.content]);
    const isNews =
      before === undefined ||
      says(before) !== says(written) ||
      (written.given !== null && before.given !== written.given);
    if (!isNews) continue;
    let from: number;
    if (written.given !== null) from = written.given;
    else if (before !== undefined && terms(before, before.isGone) === terms(written, written.isGone))
      from = before.from;
    else if (counts) from = written.first ?? always;
    else {
      const date = written.isGone ? null : written.statusDate;
      const isNew = !(before?.counts === true && before.statusDate === date);
      from = date !== null && isNew ? date : on;
    }
    versions.push({ ...written, on, counts, from });
  }
  return versions;
}

/** Whether a record was live on a day, as what, and whether a version is that old. */
export function answerOf(versions: readonly Version[], day: number) {
  // "the version recorded by then or any later one"
  let byThen = 0;
  versions.forEach((version, index) => {
    if (version.on <= day) byThen = index;
  });
  const asked = versions.slice(byThen);
  const isRecorded =
    versions.some(({ on }) => on <= day) || asked.some(({ given, from }) => given !== null && from <= day);
  // "covers D by its own dates, unless a status change dated on or before D ended it"
  const live = asked.filter((version, index) => {
    if (!version.counts || version.from > day || (version.last !== null && version.last < day)) return false;
    const later = asked.slice(index + 1).filter((other) => !other.counts && other.from <= day);
    const before = asked.slice(0, index).filter((other) => !other.counts && other.from <= day);
    return later.length === 0 && before.every((end) => end.from <= version.from);
  });
  // What began last; of what began at once, a date that was given, and of those the last one, else the first recorded.
  const latest = Math.max(...live.map(({ from }) => from));
  const begun = live.filter(({ from }) => from === latest);
  const shown = begun.findLast(({ given }) => given !== null) ?? begun[0];
  return { isLive: live.length > 0, content: shown?.content, isRecorded };
}
