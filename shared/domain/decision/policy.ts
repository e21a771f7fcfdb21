import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { CarrierIdentity } from './carrier.ts';
import type { ConfigVersion } from './configs.ts';
import type { StateCoverages } from './coverage.ts';
import {
  type Answer,
  type AppointmentStatusName,
  type DueAppointment,
  decide,
  type LicenseStatusName,
  type Party,
  type Status,
} from './decide.ts';

/** Somebody who sold a policy, or the agency. */
export interface PolicyParty {
  readonly party: Party;
  readonly coverage: StateCoverages;
  /** What a message calls it; undefined for the agency, which a message need not name. */
  readonly name: string | undefined;
}

/** May these parties sell what a policy is of, in its state, on a day, as known at a moment? */
export interface PolicyQuestion<One extends PolicyParty> {
  readonly stateCode: string;
  readonly day: CalendarDate;
  readonly knownAt: string;
  readonly carrier: CarrierIdentity;
  /** The versions of the product's config; of several products where it is not clear which one it is: the strictest decides. */
  readonly products: readonly [ProductConfigs, ...ProductConfigs[]];
  readonly agency: One;
  readonly sellers: readonly One[];
  /** Whether the policy names a seller that was not identified. */
  readonly isSellerUnknown: boolean;
}

type ProductConfigs = readonly [ConfigVersion, ...ConfigVersion[]];

/** The answer about one party, as a policy shows it. */
export type PartyAnswer = Omit<Answer<unknown, unknown>, 'reasons' | 'covering' | 'nextChange'>;

export interface PolicyAnswer<One> extends PartyAnswer {
  readonly agency: PartyAnswer;
  readonly sellers: readonly (PartyAnswer & { readonly seller: One })[];
}

const licenseOrder: readonly LicenseStatusName[] = [
  'Missing License',
  'Expired License',
  'Missing Line of Authority',
  'Licensed',
];
const appointmentOrder: readonly AppointmentStatusName[] = [
  'Not Appointed',
  'Appointment on Binding',
  'Appointed',
  'Not Required',
];

/** The status that comes first in the order, with what there is to say about any. */
function strictest<Name>(order: readonly Name[], statuses: readonly Status<Name>[]): Status<Name> {
  const { statusName } = statuses.reduce((first, one) =>
    order.indexOf(one.statusName) < order.indexOf(first.statusName) ? one : first,
  );
  const statusMessages = [...new Set(statuses.flatMap((one) => one.statusMessages ?? []))];
  return statusMessages.length === 0 ? { statusName } : { statusName, statusMessages };
}

/** The strictest of several verdicts: of the products that a policy may be of, or of the parties to it. */
function strictestOf(verdicts: readonly [PartyAnswer, ...PartyAnswer[]]): PartyAnswer {
  const isCompliant = verdicts.every(({ complianceStatus }) => complianceStatus === 'COMPLIANT');
  const isVersion = verdicts.every(({ configBasis }) => configBasis === 'version');
  const appointmentStatus = strictest(
    appointmentOrder,
    verdicts.map((one) => one.appointmentStatus),
  );
  return {
    complianceStatus: isCompliant ? 'COMPLIANT' : 'NOT_COMPLIANT',
    licenseStatus: strictest(
      licenseOrder,
      verdicts.map(({ licenseStatus }) => licenseStatus),
    ),
    appointmentStatus,
    dueAppointment:
      appointmentStatus.statusName === 'Appointment on Binding'
        ? strictestDue(verdicts.flatMap(({ dueAppointment }) => dueAppointment ?? []))
        : null,
    basis: verdicts.every(({ basis }) => basis === 'history') ? 'history' : 'registry dates',
    configBasis: isVersion ? 'version' : 'first version',
  };
}

/** What several ask for: the lines of all, within the fewest days. */
function strictestDue(all: readonly DueAppointment[]): DueAppointment {
  const lines = all.flatMap(({ linesOfAuthority }) => linesOfAuthority);
  const days = all.flatMap(({ withinDays }) => withinDays ?? []);
  return {
    linesOfAuthority: [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()],
    withinDays: days.length === 0 ? null : Math.min(...days),
  };
}

const withName = <Name>(name: string | undefined, status: Status<Name>): Status<Name> =>
  name === undefined || status.statusMessages === undefined
    ? status
    : { ...status, statusMessages: status.statusMessages.map((text) => `${name}: ${text}`) };

/** The answer about a party to a policy: of several products, the strictest. */
export function judgeParty<One extends PolicyParty>(
  { party, coverage, name }: One,
  { products, stateCode, day, knownAt, carrier }: PolicyQuestion<One>,
): PartyAnswer {
  const verdictOf = (configs: ProductConfigs): PartyAnswer => {
    const answer = decide({ party, stateCode, day, knownAt, coverage, configs, carrier });
    return {
      complianceStatus: answer.complianceStatus,
      licenseStatus: withName(name, answer.licenseStatus),
      appointmentStatus: withName(name, answer.appointmentStatus),
      dueAppointment: answer.dueAppointment,
      basis: answer.basis,
      configBasis: answer.configBasis,
    };
  };
  const [first, ...others] = products;
  return strictestOf([verdictOf(first), ...others.map(verdictOf)]);
}

/**
 * The answer for a policy: the agency and everybody who sold it are judged (OpenAPI, "How compliance is decided").
 * @param judge `judgeParty`, for a caller that remembers what it answered.
 */
export function decidePolicy<One extends PolicyParty>(
  question: PolicyQuestion<One>,
  judge: (party: One, question: PolicyQuestion<One>) => PartyAnswer = judgeParty,
): PolicyAnswer<One> {
  const { agency, sellers, isSellerUnknown } = question;
  const ofAgency = judge(agency, question);
  const ofSellers = sellers.map((seller) => ({ seller, ...judge(seller, question) }));
  const verdict = strictestOf([ofAgency, ...ofSellers]);
  const { licenseStatus } = verdict;
  return {
    ...verdict,
    licenseStatus: isSellerUnknown
      ? {
          ...licenseStatus,
          statusMessages: [...(licenseStatus.statusMessages ?? []), 'The agent was not identified.'],
        }
      : licenseStatus,
    agency: ofAgency,
    sellers: ofSellers,
  };
}
