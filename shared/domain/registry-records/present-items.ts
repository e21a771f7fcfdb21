import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { newYorkDate } from '../../platform/dates/dates.ts';
import { writtenDate } from '../decision/dates.ts';
import { type Fact, type HolderFacts, inFixedOrder, licenseKey } from '../decision/facts.ts';
import { type HeldRows, presentRows } from '../decision/present-rows.ts';
import { lastRowOf, nextSweepDay, renewalDateAt, sweptBy } from '../decision/renewal.ts';
import type { Appointment, License } from '../registry/resources.ts';
import { appointmentItem, licenseItem } from './stored.ts';
import type { RecordedLicense, Recorder } from './stored-facts.ts';

/** An item as the table holds it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** What is stored already of what a holder has, and whether what changes it is to send no events. */
interface HeldBefore extends Pick<Recorder, 'isSilent'> {
  /** By sort key. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/**
 * The licenses and appointments that lists of the present show, as items by sort key: derived from the facts alone, but for the
 * day by which the sweep finds a license.
 */
export function presentItems(
  owner: string,
  facts: HolderFacts<RecordedLicense, Appointment>,
  at: Date,
  before: HeldBefore,
): ReadonlyMap<string, StoredItem & { readonly pk: string; readonly sk: string }> {
  const { licenses, appointments, licensesByKey } = presentRows(facts, newYorkDate(at));
  const licenseOf = (license: LicenseName): string => {
    const place = placeOf(license);
    return `${license.stateCode} ${licensesByKey.get(place) ?? place}`;
  };
  const spellings = Map.groupBy(
    licensesByKey.keys(),
    (place) => `${place.slice(0, place.indexOf(' '))} ${licensesByKey.get(place) ?? place}`,
  );
  const knownSince = firstKnown(facts.licenses, licenseOf);
  const licensesBefore = Map.groupBy(heldLicenses(before), licenseOf);
  const items = [
    ...Array.from(
      Map.groupBy(licenses, ({ rows: [row] }) => licenseOf(row)),
      ([of, terms]) => {
        const last = lastOf(terms);
        return terms.flatMap(({ rows }) =>
          inFixedOrder(rows).map((license, row) => ({
            ...licenseItem(owner, license, {
              row,
              isLast: license === last,
              sweptBy: sweptBy(license, licensesBefore.get(of) ?? [], {
                isSilent: before.isSilent,
                next: renewalDateAt('EXPIRED', nextSweepDay(at)),
              }),
              alsoSpelled: (spellings.get(of) ?? []).filter((place) => place !== placeOf(license)),
            }),
            createdAt: knownSince.get(of),
          })),
        );
      },
    ).flat(),
    ...appointments.flatMap(({ key: change, rows }) =>
      inFixedOrder(rows).map((appointment, row) => appointmentItem(owner, appointment, { change, row })),
    ),
  ];
  return new Map(items.map((item) => [item.sk, item]));
}

type LicenseName = Parameters<typeof licenseKey>[0] & { readonly stateCode: string };

/** A license among those of a holder, as far as a row itself says. */
const placeOf = (license: LicenseName): string => `${license.stateCode} ${licenseKey(license)}`;

const heldLicense = storedItem(
  'registry-records/held-license',
  object(() => ({
    stateCode: z.string(),
    licenseNumber: z.string(),
    licenseClassCode: z.nullable(z.string()),
    licenseClassName: z.nullable(z.string()),
    nextRenewalDate: z.nullable(z.string()),
    expirationDate: z.nullable(z.string()),
    renewalKey: z.optional(z.string()),
  })),
);

const heldLicenses = ({ items }: HeldBefore) =>
  Array.from(items).flatMap(([sk, item]) => {
    if (!sk.startsWith('LICENSE#')) return [];
    const { renewalKey, ...held } = parseStored(heldLicense, item);
    return [{ ...held, sweptBy: renewalKey && writtenDate(renewalKey) }];
  });

/** Since when each license is known, whichever of its terms was named first: the sweep reports no boundary before that. */
function firstKnown(
  facts: readonly Fact<RecordedLicense>[],
  licenseOf: (row: RecordedLicense) => string,
): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const fact of facts) {
    for (const row of fact.what === 'stated' ? fact.rows : []) {
      const { createdAt = fact.commandAt } = row;
      const known = since.get(licenseOf(row));
      if (known === undefined || createdAt < known) since.set(licenseOf(row), createdAt);
    }
  }
  return since;
}

/** The row that counts of the last term of a license. */
function lastOf(terms: readonly HeldRows<License>[]): License | undefined {
  const [row, ...rows] = terms.flatMap((term) => inFixedOrder(term.rows));
  return row && lastRowOf([row, ...rows]);
}
