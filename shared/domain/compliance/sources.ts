import { lazily } from '#platform/contract/lazily.ts';
import { remembering } from '#platform/data/caches.ts';
import { notFoundAt } from '#platform/errors/domain-error.ts';
import type { Coverage } from '../decision/coverage.ts';
import { createRecordedHolders, noCoverage } from '../registry-records/store.ts';
import type { Tables } from '../tables.ts';
import { type AskedMoment, momentOf } from './moment.ts';
import { type LicenseComplianceStatus, type StatusQuestion, statusOf } from './status.ts';
import { createCarrierIdentityOf, createClassKindsOf, createComplianceConfigs } from './store.ts';

/** Sources of what a carrier's answers are decided from. */
export type DecisionSources = ReturnType<typeof createDecisionSources>;

export const createDecisionSources = ({
  compliance,
  organizations,
  registryRecords,
}: Tables<'compliance' | 'organizations' | 'registryRecords'>) => ({
  carrierIdentityOf: createCarrierIdentityOf(organizations),
  classKindsOf: createClassKindsOf(compliance),
  complianceConfigs: createComplianceConfigs(compliance),
  recordedHolders: createRecordedHolders(registryRecords),
});

/** A holder, and a state in which it is judged. */
interface HolderInState {
  /** Null of an agency without one. */
  readonly npn: string | null;
  readonly stateCode: string;
}

/** Coverage of an NPN in a state and at home; none for an agency without one. */
export type CoverageIn = (npn: string | null, stateCode: string) => Coverage;

/**
 * Reads, for one request, what is recorded of holders in states, and at home, as known at a moment: of each, once in a state.
 * @param classKinds read with the first holders, unless the caller has begun before.
 */
export function coveragesOfHolders(
  { recordedHolders, classKindsOf }: Pick<DecisionSources, 'recordedHolders' | 'classKindsOf'>,
  owner: string,
  knownAt?: string,
  classKinds = lazily(() => classKindsOf(owner)),
): (holders: readonly HolderInState[]) => Promise<CoverageIn> {
  const keyOf = (npn: string | null, stateCode: string): string => `${npn ?? ''} ${stateCode}`;
  const find = remembering<Coverage>(async (keys) => {
    const holders = keys.map((key) => key.split(' ') as [npn: string, stateCode: string]);
    const statesOf = Map.groupBy(holders, ([npn]) => npn);
    statesOf.delete('');
    const coverages = await recordedHolders.coveragesOf(owner, [...statesOf.keys()], {
      knownAt,
      classKinds: classKinds(),
      statesOf: (npn) => statesOf.get(npn)?.map(([, stateCode]) => stateCode),
    });
    return holders.map(([npn, stateCode]) => [keyOf(npn, stateCode), coverages.get(npn) ?? noCoverage]);
  });
  return async (holders) => {
    const coverages = await find(holders.map(({ npn, stateCode }) => keyOf(npn, stateCode)));
    return (npn, stateCode) => coverages.get(keyOf(npn, stateCode)) ?? noCoverage;
  };
}

/**
 * Whether a party may sell a product in a state, as lists answer it: the party, the config, and the carrier are read concurrently,
 * then what the config requires, and the party's records.
 *
 * @param findParty reads who is asked about; without an NPN, nothing is known of it.
 * @throws ApiError as `momentOf`; DomainError `not_found` for a product without a config; what `findParty` throws.
 */
export async function licenseStatusOf(
  { carrierIdentityOf, classKindsOf, complianceConfigs, recordedHolders }: DecisionSources,
  owner: string,
  { stateCode, productId, ...asked }: AskedMoment & Pick<LicenseComplianceStatus, 'stateCode' | 'productId'>,
  now: Date,
  findParty: () => Promise<Pick<StatusQuestion, 'party' | 'npn'> & { readonly holderNpn: string | null }>,
): Promise<LicenseComplianceStatus> {
  const moment = momentOf(asked, now);
  const readParty = async () => {
    const { holderNpn, ...party } = await findParty();
    const coverage = await recordedHolders.coverageOf(owner, holderNpn, {
      knownAt: moment.knownThen,
      classKinds: classKindsOf(owner),
      statesOf: () => [stateCode],
    });
    return { holderNpn, party: { ...party, coverage } };
  };
  const [{ holderNpn: npn, party }, config, carrier] = await Promise.all([
    readParty(),
    complianceConfigs.find(owner, productId, moment, now),
    carrierIdentityOf(owner),
  ]);
  if (config === undefined) throw notFoundAt(['productId']);
  const { productName, versions: configs } = config;
  return {
    npn,
    productId,
    productName,
    stateCode,
    ...statusOf({ ...party, stateCode, configs, carrier, moment }),
  };
}
