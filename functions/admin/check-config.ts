import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { codesOf, type Rule } from '#domain/decision/compliance-config.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import type { Tables } from '#domain/tables.ts';
import { existing } from '#platform/contract/errors.ts';
import type { stateCodes } from '#platform/contract/primitives.ts';
import { heldRows } from './held-records.ts';

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
