import { createPresentConfigs } from '../../shared/domain/compliance/store.ts';
import { type ComplianceConfig, codesOf, type Rule } from '../../shared/domain/decision/compliance-config.ts';
import { comparable } from '../../shared/domain/identifiers/identifiers.ts';
import { appointment, license } from '../../shared/domain/registry/resources.ts';
import { registryPartitions } from '../../shared/domain/registry-records/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import type { StoredSchema } from '../../shared/platform/data/stored.ts';

type StateCode = (typeof stateCodes)[number];

/** A line of authority as a record carries it. */
interface CarriedLine {
  readonly code: string | null;
  readonly name: string | null;
}

/** Lines, of licenses and of appointments, and classes that a config asks for in a state, as it writes them, by how they are compared. */
interface Asked {
  readonly lines: Map<string, string>;
  readonly classes: Map<string, string>;
  /** The lines that were found, each as the first record has it: a code is another line in another state. */
  readonly named: CarriedLine[];
}

interface Named {
  readonly stateCode: StateCode | null;
  readonly linesOfAuthority: Asked['named'];
}

/** What of a config no held record of a state carries; where `stateCode` is null, of no state that the config does not list. */
interface Uncarried {
  readonly stateCode: StateCode | null;
  readonly linesOfAuthority: readonly string[];
  readonly licenseClasses: readonly string[];
}

const byComparison = (written: readonly string[]): Map<string, string> =>
  new Map(written.map((one) => [comparable(one), one]));

function askedIn({ licenseClasses = [], furtherLicenses = [], agency, ...rule }: Rule): Asked {
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
    named: [],
  };
}

function takeLine({ lines, named }: Asked, line: CarriedLine): void {
  const found = [line.code, line.name].map((written) => lines.delete(comparable(written)));
  if (found.includes(true)) named.push(line);
}

const isCarried = ({ lines, classes }: Asked): boolean => lines.size + classes.size === 0;

/**
 * Finds what a product requires today and no license or appointment that the organization holds in that state carries: a code of
 * another state, or a misspelled name or class; and what the lines that are carried are called there. It reads the keys of a state's records, and
 * the records until everything was found.
 *
 * @throws ApiError `not_found` for a product without a config.
 */
export const createCheckConfig =
  ({ compliance, registryRecords: table }: Tables<'compliance' | 'registryRecords'>, now: () => Date) =>
  async (organizationId: string, productId: string) => {
    const { all } = createPresentConfigs(compliance);
    const config = existing((await all(organizationId, now())).find((one) => one.productId === productId));

    /** The records of a kind in a state, some at a time. */
    async function* held<Schema extends StoredSchema>(
      kind: 'LICENSE' | 'APPOINTMENT',
      stateCode: StateCode,
      schema: Schema,
    ) {
      const value = registryPartitions.ofState(organizationId, kind, stateCode);
      for await (const keys of table.keys({ index: 'by-state', value })) {
        yield table.getAll(schema, keys, { consistent: false });
      }
    }

    /** Takes out of what is asked what the records of a state carry. */
    async function takeOut(asked: Asked, stateCode: StateCode): Promise<void> {
      for await (const licenses of held('LICENSE', stateCode, license)) {
        for (const { licenseClassCode, licenseClassName, linesOfAuthority } of licenses) {
          asked.classes.delete(comparable(licenseClassCode));
          asked.classes.delete(comparable(licenseClassName));
          for (const { code, name } of linesOfAuthority) takeLine(asked, { code, name });
        }
        if (isCarried(asked)) return;
      }
      if (asked.lines.size === 0) return;
      for await (const appointments of held('APPOINTMENT', stateCode, appointment)) {
        for (const { lineOfAuthorityCode: code, lineOfAuthorityName: name } of appointments) {
          takeLine(asked, { code, name });
        }
        if (asked.lines.size === 0) return;
      }
    }

    const notCarried: Uncarried[] = [];
    const found: Named[] = [];

    /** Looks for what a rule asks for in the records of some states. */
    async function check(
      stateCode: StateCode | null,
      rule: Rule,
      states: readonly StateCode[],
    ): Promise<void> {
      const asked = askedIn(rule);
      for (const state of states) if (!isCarried(asked)) await takeOut(asked, state);
      const { lines, classes, named } = asked;
      const missing = { linesOfAuthority: [...lines.values()], licenseClasses: [...classes.values()] };
      if (!isCarried(asked)) notCarried.push({ stateCode, ...missing });
      if (named.length > 0) found.push({ stateCode, linesOfAuthority: named });
    }

    for (const { stateCode, ...rule } of config.states) await check(stateCode, rule, [stateCode]);
    if (config.otherStates !== undefined) await check(null, config.otherStates, otherStatesOf(config));
    const { productName, validFrom } = config;
    return { productId, productName, validFrom, notCarried, named: found };
  };

const otherStatesOf = ({ states }: Pick<ComplianceConfig, 'states'>): StateCode[] => {
  const listed = new Set<string>(states.map(({ stateCode }) => stateCode));
  return stateCodes.filter((code) => !listed.has(code));
};
