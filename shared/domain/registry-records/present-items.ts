import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { compare, type Fact, type HolderFacts, licenseKey, termKey } from '../decision/facts.ts';
import { isActive, ownEndOf } from '../decision/license-history.ts';
import { type HeldRows, presentRows } from '../decision/present-rows.ts';
import type { Appointment } from './appointment.ts';
import type { License } from './license.ts';
import { appointmentItem, licenseItem } from './stored.ts';
import type { RecordedLicense } from './stored-facts.ts';

/** An item as the table holds it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** The licenses and appointments that lists of the present show, as items by sort key: derived from the facts alone. */
export function presentItems(
  owner: string,
  facts: HolderFacts<RecordedLicense, Appointment>,
  today: CalendarDate,
): ReadonlyMap<string, StoredItem & { readonly pk: string; readonly sk: string }> {
  const { licenses, appointments } = presentRows(facts, today);
  const knownSince = firstKnown(facts.licenses);
  const items = [
    ...Array.from(groupBy(licenses, ({ rows: [row] }) => placeOf(row)).values(), (terms) => {
      const last = lastOf(terms);
      return terms.flatMap(({ rows }) =>
        inFixedOrder(rows).map((license, row) => ({
          ...licenseItem(owner, license, { row, isLast: license === last }),
          createdAt: knownSince.get(placeOf(license)),
        })),
      );
    }).flat(),
    ...appointments.flatMap(({ key: change, rows }) =>
      inFixedOrder(rows).map((appointment, row) => appointmentItem(owner, appointment, { change, row })),
    ),
  ];
  return new Map(items.map((item) => [item.sk, item]));
}

/** A license among those of a holder. */
const placeOf = (license: License): string => `${license.stateCode} ${licenseKey(license)}`;

/** Since when each license is known, whichever of its terms was named first: the sweep reports no boundary before that. */
function firstKnown(facts: readonly Fact<RecordedLicense>[]): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const fact of facts) {
    for (const row of fact.what === 'stated' ? fact.rows : []) {
      const { createdAt = fact.commandAt } = row;
      const known = since.get(placeOf(row));
      if (known === undefined || createdAt < known) since.set(placeOf(row), createdAt);
    }
  }
  return since;
}

/** The row that counts of the last term: of the live ones, else of all, the one that lasts longest. */
function lastOf(terms: readonly HeldRows<License>[]): License | undefined {
  const [last] = terms.toSorted((one, other) => compare(termKey(other.rows[0]), termKey(one.rows[0])));
  const rows = inFixedOrder(last?.rows ?? []);
  const live = rows.filter(isActive);
  return (live.length === 0 ? rows : live).reduce<License | undefined>(
    (best, one) => (best === undefined || ownEndOf(one) > ownEndOf(best) ? one : best),
    undefined,
  );
}

/** The same rows in the same order, whatever the order of a list. */
function inFixedOrder<Row extends { readonly updatedAt: string }>(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 1) return rows;
  const contentOf = ({ updatedAt: _at, ...content }: Row): string =>
    JSON.stringify(Object.entries(content).sort(([one], [other]) => compare(one, other)));
  return rows.toSorted((one, other) => compare(contentOf(one), contentOf(other)));
}
