import { createPresentConfigs } from '../../shared/domain/compliance/store.ts';
import type {
  ComplianceConfig,
  LineRequirement,
  Rule,
} from '../../shared/domain/decision/compliance-config.ts';
import { comparable } from '../../shared/domain/decision/facts.ts';
import { appointment, license } from '../../shared/domain/registry/resources.ts';
import { registryPartitions } from '../../shared/domain/registry-records/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import type { StoredSchema } from '../../shared/platform/data/stored.ts';

type StateCode = (typeof stateCodes)[number];

/** Codes and classes that a config asks for in a state, as it writes them, by how they are compared. */
interface Asked {
  readonly codes: Map<string, string>;
  readonly classes: Map<string, string>;
  /** The codes that were found, each with its name in the first record that has it: a code is another line in another state. */
  readonly named: { readonly code: string; readonly name: string | null }[];
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

const codesOf = (lines: readonly LineRequirement[] = []): string[] =>
  lines.flatMap((line) => (typeof line === 'string' ? line : line.anyOf));

function askedIn({ linesOfAuthority, licenseClasses = [], furtherLicenses = [], agency }: Rule): Asked {
  return {
    codes: byComparison(
      [
        linesOfAuthority,
        agency?.linesOfAuthority,
        ...furtherLicenses.map((license) => license.linesOfAuthority),
      ].flatMap(codesOf),
    ),
    classes: byComparison([
      ...licenseClasses,
      ...(agency?.licenseClasses ?? []),
      ...furtherLicenses.flatMap((license) => license.licenseClasses),
    ]),
    named: [],
  };
}

function takeCode({ codes, named }: Asked, written: string | null, name: string | null): void {
  const code = codes.get(comparable(written));
  if (code === undefined) return;
  codes.delete(comparable(written));
  named.push({ code, name });
}

const isCarried = ({ codes, classes }: Asked): boolean => codes.size + classes.size === 0;

/**
 * Finds what a product requires today and no license or appointment that the organization holds in that state carries: a code of
 * another state, or a misspelled class; and what the codes that are carried mean there. It reads the keys of a state's records, and
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
          for (const { code, name } of linesOfAuthority) takeCode(asked, code, name);
        }
        if (isCarried(asked)) return;
      }
      if (asked.codes.size === 0) return;
      for await (const appointments of held('APPOINTMENT', stateCode, appointment)) {
        for (const { lineOfAuthorityCode: code, lineOfAuthorityName: name } of appointments)
          takeCode(asked, code, name);
        if (asked.codes.size === 0) return;
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
      const { codes, classes, named } = asked;
      const missing = { linesOfAuthority: [...codes.values()], licenseClasses: [...classes.values()] };
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
