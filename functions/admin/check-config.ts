import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { codesOf, type Rule } from '#domain/decision/compliance-config.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import type { Tables } from '#domain/tables.ts';
import { existing } from '#platform/contract/errors.ts';
import type { stateCodes } from '#platform/contract/primitives.ts';
import { heldBy } from './held-records.ts';

type StateCode = (typeof stateCodes)[number];

/** Lines, classes, and companies that a config asks for in a state, as it writes them, by how they are compared. */
interface Asked {
  readonly lines: Map<string, string>;
  readonly classes: Map<string, string>;
  readonly companies: Map<string, string>;
}

/** What of a config no held record of a state carries; where `stateCode` is null, of no state that the config does not list. */
interface Uncarried {
  readonly stateCode: StateCode | null;
  readonly linesOfAuthority: readonly string[];
  readonly licenseClasses: readonly string[];
  readonly carrierNaicCodes: readonly string[];
}

const byComparison = (written: readonly string[]): Map<string, string> =>
  new Map(written.map((one) => [comparable(one), one]));

function askedIn(
  { licenseClasses = [], furtherLicenses = [], agency, ...rule }: Rule,
  ofProduct: readonly string[] = [],
): Asked {
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

function deleteEach(requirements: Map<string, string>, carried: readonly (string | null)[]): void {
  for (const name of carried) requirements.delete(comparable(name));
}

const isCarried = ({ lines, classes, companies }: Asked): boolean =>
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
    const config = existing((await all(organizationId, now())).find((one) => one.productId === productId));
    const { carrierNaicCodes: companies } = config;
    const asked = new Map(
      config.states.map(({ stateCode, ...rule }) => [stateCode, askedIn(rule, companies)]),
    );
    const elsewhere = config.otherStates && askedIn(config.otherStates, companies);
    const askedOf = (stateCode: StateCode): Asked | undefined => asked.get(stateCode) ?? elsewhere;
    const isAllCarried = (): boolean =>
      [...asked.values(), ...(elsewhere === undefined ? [] : [elsewhere])].every(isCarried);
    for await (const { licenses, appointments } of heldBy(registryRecords, organizationId, now())) {
      if (isAllCarried()) break;
      for (const { stateCode, licenseClassCode, licenseClassName, linesOfAuthority } of licenses) {
        const there = askedOf(stateCode);
        if (there === undefined) continue;
        deleteEach(there.classes, [licenseClassCode, licenseClassName]);
        for (const { code, name } of linesOfAuthority) deleteEach(there.lines, [code, name]);
      }
      for (const { stateCode, companyCode, lineOfAuthorityCode, lineOfAuthorityName } of appointments) {
        const there = askedOf(stateCode);
        if (there === undefined) continue;
        deleteEach(there.lines, [lineOfAuthorityCode, lineOfAuthorityName]);
        deleteEach(there.companies, [companyCode]);
      }
    }
    const rules = [...asked, ...(elsewhere === undefined ? [] : [[null, elsewhere] as const])];
    const { productName, validFrom } = config;
    return {
      productId,
      productName,
      validFrom,
      notCarried: rules.flatMap(([stateCode, there]): Uncarried[] =>
        isCarried(there)
          ? []
          : [
              {
                stateCode,
                linesOfAuthority: [...there.lines.values()],
                licenseClasses: [...there.classes.values()],
                carrierNaicCodes: [...there.companies.values()],
              },
            ],
      ),
    };
  };
