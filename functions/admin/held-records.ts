import type * as z from 'zod/mini';
import { createClassKindsOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import { classKindOf } from '#domain/decision/classes.ts';
import { codesOf, type Rule } from '#domain/decision/compliance-config.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import type { Appointment } from '#domain/registry/resources.ts';
import { statusKindOf } from '#domain/registry/words.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import type { RecordedLicense } from '#domain/registry-records/stored-records.ts';
import { unreadablePartition, unreadableRow } from '#domain/registry-records/unreadable-rows.ts';
import type { Tables } from '#domain/tables.ts';
import { existing } from '#platform/contract/errors.ts';
import type { stateCodes } from '#platform/contract/primitives.ts';
import { chunks, mapConcurrently } from '#platform/data/concurrently.ts';
import type { Table } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';

/** Holders that are read at once. */
const holdersAtOnce = 100;

/** Licenses and appointments of an organization's holders. */
interface HeldRows {
  readonly licenses: readonly RecordedLicense[];
  readonly appointments: readonly Appointment[];
}

/** The licenses and appointments that an organization holds, each by the row that says what it is now, some holders at a time. */
async function* heldRows(
  table: Table<'by-license-number' | 'by-change'>,
  owner: string,
  now: Date,
): AsyncGenerator<HeldRows> {
  const { coveragesOf } = createRecordedHolders(table);
  const today = newYorkDate(now);
  for await (const subscriptions of createRegistryRecords(table).subscriptions(owner)) {
    for (const batch of chunks(subscriptions, { count: holdersAtOnce })) {
      const coverages = await coveragesOf(
        owner,
        batch.map(({ npn }) => npn),
        { classKinds: [] },
      );
      const holdings = Array.from(coverages.values(), (coverage) => recordsOnDay(coverage, today));
      yield {
        licenses: holdings.flatMap(({ licenses }) => licenses.map(({ row }) => row)),
        appointments: holdings.flatMap(({ appointments }) => appointments.map(({ row }) => row)),
      };
    }
  }
}

/** Rows that one answer lists; operators answer these before they ask for more. */
const mostRows = 500;

/** A word of held licenses or appointments that is in no row of the decision's tables, and how many of them have it. */
interface UnrecognizedWord {
  readonly what: 'class' | 'license status' | 'appointment status';
  readonly stateCode: string;
  readonly classCode?: string | null;
  readonly className?: string | null;
  readonly status?: string;
  readonly count: number;
  readonly answerWith: string;
}

/**
 * Finds what of an organization's licenses and appointments is not understood: rows that cannot be read, as long as they count, and
 * words that are not recognized.
 */
export const createListUnread = (
  { compliance, registryRecords: table }: Tables<'compliance' | 'registryRecords'>,
  now: () => Date,
) => {
  const { coverageOf } = createRecordedHolders(table);
  const classKindsOf = createClassKindsOf(compliance);

  /** Whether rows of an NPN are unread still: those of a state until it is stated whole, those of no known state until all are. */
  async function unreadOf(owner: string, npn: string) {
    const coverage = await coverageOf(owner, npn, { classKinds: [] });
    const states = [...coverage.keys()];
    return ({ kind, stateCode }: Pick<z.output<typeof unreadableRow>, 'kind' | 'stateCode'>): boolean =>
      (stateCode === null ? states : [stateCode]).some(
        (state) => coverage.get(state)?.unread.includes(kind) === true,
      ) || states.length === 0;
  }

  async function unreadableRows(owner: string) {
    const { items } = await table.page(unreadableRow, unreadablePartition(owner), { limit: mostRows });
    const npns = [...new Set(items.map(({ npn }) => npn))];
    const unreadChecks = await mapConcurrently(
      npns,
      async (npn) => [npn, await unreadOf(owner, npn)] as const,
    );
    const isUnread = new Map(unreadChecks);
    return items
      .filter((row) => isUnread.get(row.npn)?.(row) === true)
      .map(({ faults, ...row }) => ({
        ...row,
        faults: faults.split(', '),
        answerWith: `an import with "complete": true of every ${row.kind} that the holder has there`,
      }));
  }

  async function unrecognizedWords(owner: string): Promise<UnrecognizedWord[]> {
    const wordByKey = new Map<string, UnrecognizedWord>();
    const add = (word: Omit<UnrecognizedWord, 'count'>): void => {
      const key = JSON.stringify(word);
      wordByKey.set(key, { ...word, count: (wordByKey.get(key)?.count ?? 0) + 1 });
    };
    const answerWith = 'an import with a status that the document lists';
    const classKinds = await classKindsOf(owner);
    for await (const { licenses, appointments } of heldRows(table, owner, now())) {
      for (const license of licenses) {
        const { stateCode, licenseClassCode: classCode, licenseClassName: className, status } = license;
        if (statusKindOf(status, 'license') === 'unrecognized') {
          add({ what: 'license status', stateCode, status, answerWith });
        }
        if (classKindOf(license, classKinds) === 'unrecognized') {
          add({ what: 'class', stateCode, classCode, className, answerWith: 'an import of type class-kind' });
        }
      }
      for (const { stateCode, status } of appointments) {
        if (statusKindOf(status, 'appointment') === 'unrecognized') {
          add({ what: 'appointment status', stateCode, status, answerWith });
        }
      }
    }
    return [...wordByKey.values()].sort((a, b) => b.count - a.count);
  }

  return async (owner: string) => ({
    unreadable: await unreadableRows(owner),
    unrecognized: await unrecognizedWords(owner),
  });
};

type StateCode = (typeof stateCodes)[number];

/** Lines, classes, and companies that a config asks for in a state, as it writes them, by how they are compared. */
interface Requirements {
  readonly lines: Map<string, string>;
  readonly classes: Map<string, string>;
  readonly companies: Map<string, string>;
}

/**
 * Requirements of a state in a config that no held record carries; `stateCode` is null for the states that the config does not
 * list.
 */
interface UncarriedRequirements {
  readonly stateCode: StateCode | null;
  readonly linesOfAuthority: readonly string[];
  readonly licenseClasses: readonly string[];
  readonly carrierNaicCodes: readonly string[];
}

const byComparison = (names: readonly string[]): Map<string, string> =>
  new Map(names.map((name) => [comparable(name), name]));

function requirementsOf(
  { licenseClasses = [], furtherLicenses = [], agency, ...rule }: Rule,
  ofProduct: readonly string[] = [],
): Requirements {
  const lines = [
    ...rule.linesOfAuthority,
    ...(rule.appointmentLinesOfAuthority ?? []),
    ...(agency?.linesOfAuthority ?? []),
    ...(agency?.appointmentLinesOfAuthority ?? []),
    ...furtherLicenses.flatMap((license) => license.linesOfAuthority ?? []),
  ];
  return {
    lines: byComparison(lines.flatMap(codesOf)),
    classes: byComparison([
      ...licenseClasses,
      ...(agency?.licenseClasses ?? []),
      ...furtherLicenses.flatMap((license) => license.licenseClasses),
    ]),
    companies: byComparison(rule.appointment === 'not required' ? [] : (rule.carrierNaicCodes ?? ofProduct)),
  };
}

function deleteEach(requirements: Map<string, string>, carriedNames: readonly (string | null)[]): void {
  for (const name of carriedNames) requirements.delete(comparable(name));
}

const isCarried = ({ lines, classes, companies }: Requirements): boolean =>
  lines.size + classes.size + companies.size === 0;

/**
 * Finds what a product requires today and no license or appointment that the organization holds in that state carries: a code of
 * another state, a misspelled name or class, or a company that has appointed nobody. It reads what the organization's holders hold until
 * everything was found.
 *
 * @throws ApiError `not_found` for a product without a config.
 */
export const createCheckConfig =
  ({ compliance, registryRecords }: Tables<'compliance' | 'registryRecords'>, now: () => Date) =>
  async (organizationId: string, productId: string) => {
    const { all } = createComplianceConfigs(compliance);
    const config = existing(
      (await all(organizationId, now())).find((candidate) => candidate.productId === productId),
    );
    const { carrierNaicCodes: companies } = config;
    const requirementsByState = new Map(
      config.states.map(({ stateCode, ...rule }) => [stateCode, requirementsOf(rule, companies)]),
    );
    const elsewhere = config.otherStates && requirementsOf(config.otherStates, companies);
    const requirementsIn = (stateCode: StateCode): Requirements | undefined =>
      requirementsByState.get(stateCode) ?? elsewhere;
    const isAllCarried = (): boolean =>
      [...requirementsByState.values(), ...(elsewhere === undefined ? [] : [elsewhere])].every(isCarried);
    for await (const { licenses, appointments } of heldRows(registryRecords, organizationId, now())) {
      if (isAllCarried()) break;
      for (const { stateCode, licenseClassCode, licenseClassName, linesOfAuthority } of licenses) {
        const requirements = requirementsIn(stateCode);
        if (requirements === undefined) continue;
        deleteEach(requirements.classes, [licenseClassCode, licenseClassName]);
        for (const { code, name } of linesOfAuthority) deleteEach(requirements.lines, [code, name]);
      }
      for (const { stateCode, companyCode, lineOfAuthorityCode, lineOfAuthorityName } of appointments) {
        const requirements = requirementsIn(stateCode);
        if (requirements === undefined) continue;
        deleteEach(requirements.lines, [lineOfAuthorityCode, lineOfAuthorityName]);
        deleteEach(requirements.companies, [companyCode]);
      }
    }
    const rules = [...requirementsByState, ...(elsewhere === undefined ? [] : [[null, elsewhere] as const])];
    const { productName, validFrom } = config;
    return {
      productId,
      productName,
      validFrom,
      notCarried: rules.flatMap(([stateCode, requirements]): UncarriedRequirements[] =>
        isCarried(requirements)
          ? []
          : [
              {
                stateCode,
                linesOfAuthority: [...requirements.lines.values()],
                licenseClasses: [...requirements.classes.values()],
                carrierNaicCodes: [...requirements.companies.values()],
              },
            ],
      ),
    };
  };
