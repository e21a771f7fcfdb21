import type { ComplianceConfig, LineRequirement, Rule } from '../../shared/domain/compliance/resource.ts';
import { createPresentConfigs } from '../../shared/domain/compliance/store.ts';
import { comparable } from '../../shared/domain/decision/facts.ts';
import { appointment } from '../../shared/domain/registry-records/appointment.ts';
import { license } from '../../shared/domain/registry-records/license.ts';
import { registryPartitions } from '../../shared/domain/registry-records/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';

type StateCode = (typeof stateCodes)[number];

/** Codes and classes that a config asks for in a state, as it writes them, by how they are compared. */
interface Asked {
  readonly codes: Map<string, string>;
  readonly classes: Map<string, string>;
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
        ...furtherLicenses.map((one) => one.linesOfAuthority),
      ].flatMap(codesOf),
    ),
    classes: byComparison([
      ...licenseClasses,
      ...(agency?.licenseClasses ?? []),
      ...furtherLicenses.flatMap((one) => one.licenseClasses),
    ]),
  };
}

const isCarried = ({ codes, classes }: Asked): boolean => codes.size + classes.size === 0;

/**
 * Finds what a product requires today and no license or appointment that the organization holds in that state carries: a code of
 * another state, or a misspelled class. It reads the keys of a state's records, and the records until everything was found.
 *
 * @throws ApiError `not_found` for a product without a config.
 */
export const createCheckConfig =
  ({ compliance, registryRecords: table }: Tables<'compliance' | 'registryRecords'>, now: () => Date) =>
  async (organizationId: string, productId: string) => {
    const { all } = createPresentConfigs(compliance);
    const config = existing((await all(organizationId, now())).find((one) => one.productId === productId));

    /** The records of a kind in a state, some at a time. */
    async function* held<Schema extends CompatibleSchema>(
      kind: 'LICENSE' | 'APPOINTMENT',
      stateCode: StateCode,
      schema: Schema,
    ) {
      const value = registryPartitions.ofState(organizationId, kind, stateCode);
      for await (const keys of table.keys({ index: 'by-state', value })) {
        yield table.getAll(schema, keys, { consistent: false, leavesOut: true });
      }
    }

    /** Takes out of what is asked what the records of a state carry. */
    async function takeOut(asked: Asked, stateCode: StateCode): Promise<void> {
      for await (const licenses of held('LICENSE', stateCode, license)) {
        for (const { licenseClassCode, licenseClassName, linesOfAuthority } of licenses) {
          asked.classes.delete(comparable(licenseClassCode));
          asked.classes.delete(comparable(licenseClassName));
          for (const { code } of linesOfAuthority) asked.codes.delete(comparable(code));
        }
        if (isCarried(asked)) return;
      }
      if (asked.codes.size === 0) return;
      for await (const appointments of held('APPOINTMENT', stateCode, appointment)) {
        for (const one of appointments) asked.codes.delete(comparable(one.lineOfAuthorityCode));
        if (asked.codes.size === 0) return;
      }
    }

    /** What of a rule no record of some states carries. */
    async function uncarried(
      stateCode: StateCode | null,
      rule: Rule,
      states: readonly StateCode[],
    ): Promise<Uncarried[]> {
      const asked = askedIn(rule);
      for (const one of states) if (!isCarried(asked)) await takeOut(asked, one);
      const { codes, classes } = asked;
      const missing = { linesOfAuthority: [...codes.values()], licenseClasses: [...classes.values()] };
      return isCarried(asked) ? [] : [{ stateCode, ...missing }];
    }

    const found: Uncarried[] = [];
    for (const { stateCode, ...rule } of config.states) {
      found.push(...(await uncarried(stateCode, rule, [stateCode])));
    }
    if (config.otherStates !== undefined) {
      found.push(...(await uncarried(null, config.otherStates, otherStatesOf(config))));
    }
    const { productName, validFrom } = config;
    return { productId, productName, validFrom, notCarried: found };
  };

const otherStatesOf = ({ states }: Pick<ComplianceConfig, 'states'>): StateCode[] => {
  const listed = new Set<string>(states.map(({ stateCode }) => stateCode));
  return stateCodes.filter((code) => !listed.has(code));
};
