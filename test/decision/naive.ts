import type { CarrierIdentity, WritingCompany } from '../../shared/domain/decision/carrier.ts';
import type { Party, Verdict } from '../../shared/domain/decision/decide.ts';
import { dispositionKindOf } from '../../shared/domain/decision/dispositions.ts';
import type { AppointmentRow, LicenseRow } from '../../shared/domain/decision/facts.ts';
import {
  type AppointmentStatusName,
  appointmentStatusNames,
  type LicenseStatusName,
  licenseStatusNames,
} from '../../shared/domain/decision/reasons.ts';
import { comparableName } from '../../shared/domain/identifiers/comparable-names.ts';
import { addDays, datesFrom, daysBetween, newYorkDate } from '../../shared/platform/dates/dates.ts';
import type { CaseCommand, CaseUnread } from './commands.ts';
import {
  appointmentsOf,
  type NaiveAppointment,
  sameChange,
  unmatchedAppointmentEndsOf,
} from './naive-appointments.ts';
import {
  companyAmong,
  companyCode,
  companyEin,
  companyName,
  type History,
  historyAt,
  mayBeOne,
  type NaiveAction,
} from './naive-history.ts';
import {
  codesByName,
  licensesOf,
  lineOn,
  type NaiveLicense,
  type NaiveLine,
  NO_END,
  type TermOnDay,
  unmatchedEndsOf,
} from './naive-licenses.ts';
import {
  kindOfClass,
  licenseStatusKind,
  type NaiveClassKind,
  plain,
  plainCompany,
  plainEin,
  plainNumber,
  sameClassAs,
  written,
} from './naive-words.ts';

// The decision, written from the chapter that the OpenAPI document prints and not from the service's own: as slowly and plainly as
// can be, all of it worked out anew for the one day.

type Entry = string | { anyOf: readonly string[] };

interface NaiveRule {
  linesOfAuthority: readonly Entry[];
  licenseClasses?: readonly string[] | undefined;
  furtherLicenses?:
    | readonly { licenseClasses: readonly string[]; linesOfAuthority?: readonly Entry[] | undefined }[]
    | undefined;
  licenseOf?: 'both' | 'agency' | 'agent' | undefined;
  appointment: 'required' | 'not required' | 'on binding';
  appointmentOf?: 'both' | 'agency' | 'agent' | 'either' | undefined;
  appointmentBy?: 'company' | 'group' | undefined;
  appointWithinDays?: number | null | undefined;
  homeState?: 'known' | 'ignored' | undefined;
  carrierNaicCodes?: readonly string[] | undefined;
  agency?:
    | { linesOfAuthority?: readonly Entry[] | undefined; licenseClasses?: readonly string[] | undefined }
    | undefined;
}

export interface NaiveConfig {
  validFrom: string;
  recordedAt: string;
  carrierNaicCodes?: readonly string[] | undefined;
  states: readonly (NaiveRule & { stateCode: string })[];
  otherStates?: NaiveRule | undefined;
  authority?: 'ignored' | 'if stated' | 'required' | undefined;
}

export interface NaiveParty {
  party: Party;
  commands: readonly CaseCommand[];
  npn?: 'missing' | 'not needed' | undefined;
  ownWord?:
    | {
        isArchived?: boolean | undefined;
        authority?:
          | readonly { upstreamEntityProductId: string; approvedStates: readonly string[] }[]
          | undefined;
        isAssociationActive?: boolean | undefined;
      }
    | undefined;
  verifiedAt?: string | null | undefined;
}

interface NaiveAsked {
  day: string;
  knownAt: string;
  stateCode: string;
  configs: readonly NaiveConfig[];
  carrier: CarrierIdentity;
  classKinds?: readonly NaiveClassKind[] | undefined;
  company?: WritingCompany | undefined;
  codeInCatalog?: ((name: string) => string | undefined) | undefined;
  /** Of a sale on the day: until when it is looked at what became of it. */
  saleSeenOn?: string | undefined;
}

interface NaiveSale extends NaiveAsked {
  agency: NaiveParty | undefined;
  sellers: readonly NaiveParty[];
  productId: string | null;
  today: string;
  verifiedWithinDays?: number | null | undefined;
}

interface NaiveReason {
  code: string;
  kind: 'against' | 'not known';
  of: 'license' | 'appointment' | 'sale';
}

export interface NaiveAnswer {
  verdict: Verdict;
  licenseStatus: LicenseStatusName;
  appointmentStatus: AppointmentStatusName;
  /** Each as its code and whether it is known, in the order of the alphabet. */
  reasons: string[];
  warnings: string[];
  configBasis: 'version' | 'first version';
}

// ── Answers

const statusesOfLicense: Readonly<Record<string, LicenseStatusName>> = {
  regulatory_action_in_force: 'Regulatory Action',
  license_missing: 'Missing License',
  license_not_begun: 'Missing License',
  further_license_missing: 'Missing License',
  license_expired: 'Expired License',
  home_state_license_not_active: 'Home State License Not Active',
  license_class_wrong: 'Wrong License Class',
  line_missing: 'Missing Line of Authority',
};

const strictest = <Name>(names: readonly Name[], some: readonly Name[], otherwise: Name): Name =>
  names.find((name) => some.includes(name)) ?? otherwise;

interface Judged {
  reasons: NaiveReason[];
  warnings: string[];
  /** Those about appointments. */
  appointmentWarnings: string[];
  isLicenseAsked: boolean;
  isAppointmentAsked: boolean;
  isOnBinding: boolean;
}

const verdictOf = (reasons: readonly NaiveReason[]): Verdict => {
  if (reasons.length === 0) return 'yes';
  return reasons.some(({ kind }) => kind === 'against') ? 'no' : 'unknown';
};

const texts = (ones: readonly string[]) => [...new Set(ones)].toSorted();

function answerOf(judged: Judged, configBasis: NaiveAnswer['configBasis']): NaiveAnswer {
  const { reasons, isLicenseAsked, isAppointmentAsked, isOnBinding } = judged;
  const isConfigured = !reasons.some(({ code }) => code === 'state_not_configured');
  const ofLicense = reasons.flatMap(({ of, code, kind }): LicenseStatusName[] => {
    if (of === 'appointment' || (of === 'sale' && kind === 'against')) return [];
    return kind === 'not known' ? ['License Not Known'] : [statusesOfLicense[code] ?? 'Missing License'];
  });
  const ofAppointment = reasons.flatMap(({ of, kind }): AppointmentStatusName[] => {
    if (of === 'license' || (of === 'sale' && kind === 'against')) return [];
    return [kind === 'not known' ? 'Appointment Not Known' : 'Not Appointed'];
  });
  return {
    verdict: verdictOf(reasons),
    licenseStatus: !isConfigured
      ? 'State Not Configured'
      : isLicenseAsked
        ? strictest(licenseStatusNames, ofLicense, 'Licensed')
        : 'Not Required',
    appointmentStatus: !isConfigured
      ? 'State Not Configured'
      : isAppointmentAsked
        ? strictest(
            appointmentStatusNames,
            ofAppointment,
            isOnBinding ? 'Appointment on Binding' : 'Appointed',
          )
        : 'Not Required',
    reasons: texts(reasons.map(({ code, kind }) => `${code}${kind === 'not known' ? '?' : ''}`)),
    warnings: texts([...judged.warnings, ...judged.appointmentWarnings]),
    configBasis,
  };
}

/** The status of one party. */
export function decidePartyNaively(question: NaiveAsked & { party: NaiveParty }): NaiveAnswer {
  const { rule, config, configBasis } = requirementOn(question);
  if (!rule || !config) return answerOf(notConfigured, configBasis);
  const judged = judge(question, question.party, rule, config);
  if (judged.isLicenseAsked) judgeFurther(question, [question.party], judged, rule);
  return answerOf(judged, configBasis);
}

const notConfigured: Judged = {
  reasons: [{ code: 'state_not_configured', kind: 'against', of: 'sale' }],
  warnings: [],
  appointmentWarnings: [],
  isLicenseAsked: true,
  isAppointmentAsked: true,
  isOnBinding: false,
};

/** The config in force on the day, as known, and what it requires in the state. */
function requirementOn({ configs, day, knownAt, stateCode }: NaiveAsked) {
  const byRecording = configs.toSorted(
    (one, other) => Date.parse(one.recordedAt) - Date.parse(other.recordedAt),
  );
  const known = byRecording.filter(({ recordedAt }) => Date.parse(recordedAt) <= Date.parse(knownAt));
  const begun = known.filter(({ validFrom }) => validFrom.slice(0, 10) <= day);
  const last = begun
    .map(({ validFrom }) => validFrom.slice(0, 10))
    .toSorted()
    .at(-1);
  const inForce = begun.findLast(({ validFrom }) => validFrom.slice(0, 10) === last);
  const candidates = known.length > 0 ? known : byRecording;
  const earliest = candidates.map(({ validFrom }) => validFrom.slice(0, 10)).toSorted()[0];
  const config = inForce ?? candidates.find(({ validFrom }) => validFrom.slice(0, 10) === earliest);
  const rule = config?.states.find((state) => state.stateCode === stateCode) ?? config?.otherStates;
  const configBasis = inForce ? ('version' as const) : ('first version' as const);
  return { rule, config, configBasis };
}

const entriesOf = (entries: readonly Entry[]) =>
  entries.map((entry) => (typeof entry === 'string' ? [entry] : entry.anyOf).map(plain));

function judge(question: NaiveAsked, party: NaiveParty, rule: NaiveRule, config: NaiveConfig): Judged {
  const isAgency = party.party === 'agency';
  const isOf = (asked: string | undefined) => ['both', 'either', party.party].includes(asked ?? 'both');
  const isNeeded = party.npn !== 'not needed';
  const isLicenseAsked = isNeeded && isOf(rule.licenseOf);
  const isAppointmentAsked = isNeeded && rule.appointment !== 'not required' && isOf(rule.appointmentOf);
  const judged: Judged = {
    reasons: [],
    warnings: [],
    appointmentWarnings: [],
    isLicenseAsked,
    isAppointmentAsked,
    isOnBinding: false,
  };
  if (!(isLicenseAsked || isAppointmentAsked)) return judged;
  if (party.npn === 'missing') {
    judged.reasons.push({ code: 'npn_missing', kind: 'not known', of: 'sale' });
    return judged;
  }
  const holder = holderOn(question, party);
  const lines = entriesOf((isAgency ? rule.agency?.linesOfAuthority : undefined) ?? rule.linesOfAuthority);
  const licenseClasses = (isAgency ? rule.agency?.licenseClasses : undefined) ?? rule.licenseClasses;
  if (isLicenseAsked) {
    const { reasons, warnings } = judgeLicenses(holder, lines, licenseClasses, rule);
    judged.reasons.push(...reasons);
    judged.warnings.push(...warnings);
  }
  if (isAppointmentAsked) {
    const { reasons, warnings, isOnBinding } = judgeAppointments(holder, lines, rule, config, question);
    judged.reasons.push(...reasons);
    judged.appointmentWarnings.push(...warnings);
    judged.isOnBinding = isOnBinding;
  }
  // It might undo what meets what is asked.
  if (holder.history.isNotFound && !isAllAgainst(judged))
    judged.reasons.push({ code: 'npn_not_found', kind: 'not known', of: 'sale' });
  return judged;
}

/** Whether something is against all that is asked, which what is not known of the whole cannot undo. */
function isAllAgainst({ reasons, isLicenseAsked, isAppointmentAsked }: Judged): boolean {
  const isAgainst = (of: NaiveReason['of']) =>
    reasons.some((reason) => reason.of === of && reason.kind === 'against');
  return (
    (isLicenseAsked || isAppointmentAsked) &&
    (!isLicenseAsked || isAgainst('license')) &&
    (!isAppointmentAsked || isAgainst('appointment'))
  );
}

// ── Licenses on the day

interface Candidate {
  license: NaiveLicense;
  term: TermOnDay;
  isResident: boolean;
  kind: ReturnType<typeof kindOfClass>;
  /** The lines with which it is, or may be, in force. */
  lines: ReadonlySet<string>;
  /** Why it may not be in force, though it is within its term. */
  doubts: string[];
  isInForce: boolean;
  /** Whether it carries lines of which none counts. */
  isWithoutLine: boolean;
}

interface Holder {
  question: NaiveAsked;
  history: History;
  said: NaiveClassKind[];
}

function holderOn(question: NaiveAsked, party: NaiveParty): Holder {
  const said = (question.classKinds ?? []).filter(
    ({ recordedAt }) => Date.parse(recordedAt) <= Date.parse(question.knownAt),
  );
  const history = historyAt(party.commands, question.knownAt, {
    license: (one, other) =>
      one.stateCode === other.stateCode &&
      plainNumber(one.licenseNumber) === plainNumber(other.licenseNumber) &&
      written(one.issueDate) === written(other.issueDate) &&
      // What is recorded is the same for everybody, whatever somebody says of classes.
      sameClassAs(one, other, []),
    appointment: sameChange,
  });
  return { question, history, said };
}

/** Whether a line counts on a day. */
const counts = (line: NaiveLine | undefined, day: string): boolean =>
  line !== undefined && lineOn(line, day) === 'counts';

/** The terms of a state that cover a day, or might. */
function candidatesIn({ history, said, question: { day } }: Holder, stateCode: string): Candidate[] {
  return licensesOf(history.licenses(stateCode), said).flatMap((license) =>
    license.terms.flatMap((one): Candidate[] => {
      const term = one.on(day);
      if (!term || term.is === 'not') return [];
      const isCovering = term.is === 'covering';
      const lines = [...term.lines].filter(([, line]) => isCovering && counts(line, day));
      const unclear = [...term.lines].filter(
        ([, line]) => isCovering && lineOn(line, day) === 'unrecognized',
      );
      const isInForce = isCovering && (!term.hasLines || lines.length > 0);
      const base = { license, term, isResident: one.isResident, kind: kindOfClass(term.row, said) };
      const keys = (some: readonly (readonly [string, NaiveLine])[]) => new Set(some.map(([key]) => key));
      return [
        {
          ...base,
          lines: isCovering ? keys(lines) : (term.named ?? new Set()),
          doubts: term.code ? [term.code] : [],
          isInForce,
          isWithoutLine: isCovering && !isInForce,
        },
        // A line of which it is not known whether it counts.
        ...(unclear.length === 0
          ? []
          : [
              {
                ...base,
                lines: keys(unclear),
                doubts: ['status_unrecognized'],
                isInForce: false,
                isWithoutLine: false,
              },
            ]),
      ];
    }),
  );
}

/** Whether the holder is licensed at home on the day; else whether the registry said of such a license that it was. */
function homeOn(holder: Holder): 'licensed' | 'not active' | 'not known' {
  const { history, said, question } = holder;
  const isCovered = history.states.some((stateCode) => {
    if (ordersIn(holder, stateCode).includes('order')) return false;
    return candidatesIn(holder, stateCode).some(
      ({ kind, term, isInForce }) =>
        kind === 'producer' && term.row.residencyStatus === 'resident' && isInForce,
    );
  });
  if (isCovered) return 'licensed';
  const begun = history.states
    .flatMap((stateCode) => licensesOf(history.licenses(stateCode), said).flatMap(({ terms }) => terms))
    .filter(({ begins }) => begins <= question.day)
    .filter((term) => {
      const row = term.rows.at(-1);
      return term.isResident && row !== undefined && term.kindOf(row) === 'producer';
    })
    .toSorted((one, other) => (one.begins < other.begins ? -1 : 1));
  const last = begun.filter(({ begins }) => begins === begun.at(-1)?.begins);
  return last.some(({ isStatedByRegistry }) => isStatedByRegistry) ? 'not active' : 'not known';
}

type Action = NaiveAction['action'];

const orderKinds = {
  'in force': 'order',
  'not known': 'cease and desist',
  over: 'over',
  none: undefined,
} as const;

const kindOfOrder = ({ disposition }: Action) => orderKinds[dispositionKindOf(disposition ?? '')];

/** The orders in force in a state on the day. */
function ordersIn({ history, question }: Holder, stateCode: string): ('order' | 'cease and desist')[] {
  const all = history.actions(stateCode);
  const fromOf = (one: NaiveAction) => daysOfOrder(one, history, stateCode).from;
  const over = all.filter(({ action }) => kindOfOrder(action) === 'over').map(fromOf);
  return all.flatMap((one) => {
    const kind = kindOfOrder(one.action);
    if (kind === undefined || kind === 'over') return [];
    const { from, until } = daysOfOrder(one, history, stateCode);
    const isOver = over.some((day) => from < day && day <= question.day);
    return from <= question.day && question.day <= until && !isOver ? [kind] : [];
  });
}

function daysOfOrder({ action, known, stated }: NaiveAction, history: History, stateCode: string) {
  const beginsOf = (one: Action) =>
    written(one.effectiveDate) ?? written(one.dateOfAction) ?? written(one.enterDate) ?? known;
  const lengthOf = ({ lengthOfOrderInDays }: Action) => lengthOfOrderInDays ?? 0;
  const [from, length] = [beginsOf(action), lengthOf(action)];
  if (length > 0) return { from, until: addDays(from, length - 1) };
  const isAsNow = (one: Action) =>
    kindOfOrder(one) === kindOfOrder(action) && beginsOf(one) === from && lengthOf(one) <= 0;
  const other = stated.findLastIndex((one) => !isAsNow(one.action));
  const since = stated[other + 1]?.order ?? 0;
  const still = history.licenses(stateCode).find(
    ({ isList, day, order, rows }) =>
      isList &&
      // One from before the order was known as it is now does not say that it is over.
      order >= since &&
      day >= addDays(from, 30) &&
      rows.some(({ status }) => licenseStatusKind(status) === 'live'),
  );
  const longest = addDays(from, 364);
  const until = still ? addDays(still.day, -1) : longest;
  return { from, until: until < longest ? until : longest };
}

/** The licenses of the classes that count: surely in force, perhaps, and in force but for the home state. */
function classedOn(holder: Holder, licenseClasses: readonly string[] | undefined, rule: NaiveRule) {
  const { history, said, question } = holder;
  const { stateCode } = question;
  const classOf = (row: LicenseRow): 'counts' | 'unrecognized' | 'other' => {
    if (licenseClasses) {
      const stated = [plain(row.licenseClassCode), plain(row.licenseClassName)].filter((one) => one !== '');
      if (stated.some((one) => licenseClasses.map(plain).includes(one))) return 'counts';
      return stated.length === 0 ? 'unrecognized' : 'other';
    }
    const kind = kindOfClass(row, said);
    return kind === 'producer' ? 'counts' : kind === 'unrecognized' ? kind : 'other';
  };
  const unread = history.unread(stateCode).filter((one) => one.kind === 'license');
  const mayEnd = (row: LicenseRow, { number, ofClass }: NaiveLicense) =>
    unread.some(
      (one) =>
        !one.isLive &&
        (one.licenseNumber === null || plainNumber(one.licenseNumber) === number) &&
        sameClassAs({ ...row, ...classStated(one) }, { ...row, ...ofClass }, said),
    );
  const all = candidatesIn(holder, stateCode).map((one) => ({
    ...one,
    ofClass: classOf(one.term.row),
    doubts: [
      ...one.doubts,
      ...(classOf(one.term.row) === 'unrecognized' ? ['class_unrecognized'] : []),
      ...(mayEnd(one.term.row, one.license) ? ['row_not_understood'] : []),
    ],
  }));
  const ofClass = all.filter((one) => one.ofClass !== 'other' && !one.isWithoutLine);
  const home = rule.homeState === 'ignored' ? 'licensed' : homeOn(holder);
  const isAtHome = ({ isResident }: Candidate) => isResident || home !== 'not active';
  const sure = ofClass.filter((one) => one.doubts.length === 0 && isAtHome(one));
  const maybe = ofClass.filter((one) => one.doubts.length > 0 && isAtHome(one));
  const away = ofClass.filter((one) => one.doubts.length === 0 && !isAtHome(one));
  const mayBeRead = unread.some(({ isLive }) => isLive);

  return { sure, maybe, away, all, mayBeRead, classOf, home };
}

/** Whether a license has a line that an entry asks for. */
const has = (entry: readonly string[] | undefined) => (one: Candidate) =>
  entry === undefined || entry.some((code) => one.lines.has(code));

function judgeLicenses(
  holder: Holder,
  entries: readonly (readonly string[])[],
  licenseClasses: readonly string[] | undefined,
  rule: NaiveRule,
): { reasons: NaiveReason[]; warnings: string[] } {
  const { stateCode } = holder.question;
  const reasons: NaiveReason[] = [];
  const warnings: string[] = [];
  const say = (code: string, kind: NaiveReason['kind']) => reasons.push({ code, kind, of: 'license' });

  const orders = ordersIn(holder, stateCode);
  if (orders.includes('order')) say('regulatory_action_in_force', 'against');

  const { sure, maybe, away, all, mayBeRead, classOf, home } = classedOn(holder, licenseClasses, rule);

  const doubt = (some: readonly (typeof all)[number][], further: readonly string[] = []) => {
    const codes = [
      ...some.flatMap(({ doubts }) => doubts),
      ...further,
      ...(mayBeRead ? ['row_not_understood'] : []),
    ];
    for (const code of codes) say(code, 'not known');
    return codes.length > 0;
  };

  const asked = entries.length === 0 ? [undefined] : entries;
  const unmet = asked.filter((entry) => !sure.some(has(entry)));
  const missing = unmet.filter((entry) => !mayBeRead && !maybe.some(has(entry)));
  // Without any license that counts, those that might meet some entries are as good as none.
  if (unmet.length > 0 && (sure.length > 0 || missing.length === 0))
    doubt(maybe.filter((one) => unmet.some((entry) => has(entry)(one))));
  const isAway = (entry: readonly string[] | undefined) => away.some(has(entry));
  const lacking = missing.filter((entry) => !isAway(entry));
  if (missing.length > 0 && (sure.length === 0 ? away.length > 0 : missing.some(isAway)))
    say('home_state_license_not_active', 'against');
  const isWithoutLine = all.some(
    (one) =>
      one.ofClass === 'counts' &&
      one.isWithoutLine &&
      !all.some((other) => other.term === one.term && !other.isWithoutLine),
  );
  if (lacking.length > 0)
    say(
      sure.length + away.length > 0 || isWithoutLine ? 'line_missing' : missingCode(holder, classOf, all),
      'against',
    );
  // It might undo what meets what is asked.
  if (orders.includes('cease and desist') && !reasons.some(({ kind }) => kind === 'against'))
    say('regulatory_action_in_force', 'not known');
  warnings.push(...licenseWarnings(holder, sure, entries, home));
  if (unmatchedEndsOf(holder.history.licenses(stateCode), holder.said).length > 0)
    warnings.push('end_unmatched');
  return { reasons, warnings };
}

/** Asks for each further license one of a license of those who may hold it: of who is nearest to it, else of the first. */
function judgeFurther(
  question: NaiveAsked,
  parties: readonly NaiveParty[],
  judged: Judged,
  rule: NaiveRule,
  isOld: (party: NaiveParty) => boolean = () => false,
): void {
  const holders = parties.filter(({ npn }) => npn === undefined);
  for (const further of rule.furtherLicenses ?? []) {
    const asked: (readonly string[] | undefined)[] = entriesOf(further.linesOfAuthority ?? []);
    if (asked.length === 0) asked.push(undefined);
    const rank = ([first]: readonly NaiveReason[]) =>
      first === undefined ? 0 : first.kind === 'not known' ? 1 : 2;
    const notVerified: NaiveReason = { code: 'not_verified', kind: 'not known', of: 'license' };
    const [nearest] = holders
      .map((party) => {
        const found = furtherOf(holderOn(question, party), asked, further.licenseClasses, rule);
        return found.reasons.some(({ kind }) => kind === 'against') || !isOld(party)
          ? found
          : { ...found, reasons: [...found.reasons, notVerified] };
      })
      .toSorted(
        (one, other) => rank(one.reasons) - rank(other.reasons) || one.reasons.length - other.reasons.length,
      );
    judged.warnings.push(...(nearest?.warnings ?? []));
    if (nearest === undefined || nearest.reasons.length === 0) continue;
    judged.isLicenseAsked = true;
    judged.reasons.push(...nearest.reasons);
  }
}

/** Why no license of a holder is a further one that is asked for, or what is worth knowing of the one that is. */
function furtherOf(
  holder: Holder,
  asked: readonly (readonly string[] | undefined)[],
  licenseClasses: readonly string[],
  rule: NaiveRule,
): Pick<Judged, 'reasons' | 'warnings'> {
  const reason =
    (kind: NaiveReason['kind']) =>
    (code: string): NaiveReason => ({ code, kind, of: 'license' });
  const orders = ordersIn(holder, holder.question.stateCode);
  const against = (code: string) => ({ reasons: [reason('against')(code)], warnings: [] });
  if (orders.includes('order')) return against('further_license_missing');
  const { sure, maybe, away, mayBeRead, home } = classedOn(holder, licenseClasses, rule);
  const codes = new Set<string>();
  // One license is to meet all entries; one that was set aside may be of no other.
  const licenses = [undefined, ...new Set([...sure, ...maybe, ...away].map((one) => one.license))].map(
    (license) => {
      const isMetBy = (some: readonly Candidate[]) => (entry: readonly string[] | undefined) =>
        some.some((one) => one.license === license && has(entry)(one));
      const unmet = asked.filter((entry) => !isMetBy(sure)(entry));
      return {
        doubts: maybe.filter((one) => one.license === license && unmet.some((entry) => has(entry)(one))),
        isMet: unmet.length === 0,
        warnings: licenseWarnings(
          holder,
          sure.filter((one) => one.license === license),
          asked.filter((entry) => entry !== undefined),
          home,
        ),
        mayMeet: unmet.every((entry) => mayBeRead || isMetBy(maybe)(entry)),
        isAway: asked.every(isMetBy(away)),
      };
    },
  );
  if (!licenses.some(({ mayMeet }) => mayMeet)) {
    const isAway = licenses.some((one) => one.isAway);
    return against(isAway ? 'home_state_license_not_active' : 'further_license_missing');
  }
  // It might undo what meets it, or might meet it.
  if (orders.includes('cease and desist')) codes.add('regulatory_action_in_force');
  if (holder.history.isNotFound) codes.add('npn_not_found');
  if (!licenses.some(({ isMet }) => isMet)) {
    for (const { mayMeet, doubts } of licenses)
      if (mayMeet) for (const code of doubts.flatMap((one) => one.doubts)) codes.add(code);
    if (mayBeRead) codes.add('row_not_understood');
  }
  // Of several that meet it, the one that has the least to be said of.
  const [warnings = []] = licenses
    .flatMap((one) => (one.isMet ? [one.warnings] : []))
    .toSorted((one, other) => one.length - other.length || (one.join() < other.join() ? -1 : 1));
  return { reasons: [...codes].map(reason('not known')), warnings };
}

const classStated = ({ licenseClassCode, licenseClassName }: CaseUnread & { kind: 'license' }) => ({
  licenseClassCode,
  licenseClassName,
});

/** Why nothing meets what is asked. */
function missingCode(
  { history, said, question: { day, stateCode } }: Holder,
  classOf: (row: LicenseRow) => 'counts' | 'unrecognized' | 'other',
  all: readonly (Candidate & { ofClass: string })[],
): string {
  const terms = licensesOf(history.licenses(stateCode), said)
    .flatMap((license) => license.terms)
    .filter((term) => term.rows.some((row) => classOf(row) === 'counts'));
  if (
    !terms.some((term) => term.on(day)?.is === 'covering') &&
    terms.some((term) => (term.on(day)?.ownEnd ?? NO_END) < day)
  )
    return 'license_expired';
  const wereLive = terms.filter(({ rows }) =>
    rows.some(({ status }) => licenseStatusKind(status) === 'live'),
  );
  if (wereLive.length > 0 && wereLive.every(({ begins }) => begins > day)) return 'license_not_begun';
  return all.some(({ ofClass, term }) => ofClass === 'other' && term.is === 'covering')
    ? 'license_class_wrong'
    : 'license_missing';
}

function licenseWarnings(
  { question: { day } }: Holder,
  sure: readonly Candidate[],
  entries: readonly (readonly string[])[],
  home: ReturnType<typeof homeOn>,
): string[] {
  const warnings: string[] = [];
  const held = sure.filter(
    ({ lines }) => entries.length === 0 || entries.some((entry) => entry.some((code) => lines.has(code))),
  );
  if (home === 'not known' && sure.some(({ isResident }) => !isResident))
    warnings.push('home_state_license_unknown');
  const isUndated = entries.some((entry) => {
    const meeting = held.flatMap(({ term, lines }) =>
      entry.filter((code) => lines.has(code)).map((code) => term.lines.get(code)),
    );
    return meeting.length > 0 && meeting.every((line) => line === undefined || day < line.datedFrom);
  });
  if (isUndated) warnings.push('line_date_unknown');
  const asked = entries.flat();
  const educated = sure.flatMap(({ term, lines }) =>
    term.row.linesOfAuthority.filter(
      ({ code }) => lines.has(plain(code)) && (entries.length === 0 || asked.includes(plain(code))),
    ),
  );
  if (educated.some(({ ceCompliance }) => ceCompliance === 'not in compliance'))
    warnings.push('ce_not_in_compliance');
  return warnings;
}

// ── Appointments on the day

function judgeAppointments(
  { history, question }: Holder,
  entries: readonly (readonly string[])[],
  rule: NaiveRule,
  config: NaiveConfig,
  { carrier, company, codeInCatalog }: NaiveAsked,
): { reasons: NaiveReason[]; warnings: string[]; isOnBinding: boolean } {
  const { day, stateCode } = question;
  const codes = codesByName(history.licenses(stateCode));
  const statements = history.appointments(stateCode);
  const unread = history.unread(stateCode).filter((one) => one.kind === 'appointment');
  const warnings: string[] = [];
  if (unread.some((row) => [companyCode, companyEin, companyName].every((part) => part(row) === '')))
    warnings.push('row_not_understood');
  if (unmatchedAppointmentEndsOf(statements, codes).length > 0) warnings.push('end_unmatched');

  const named = rule.carrierNaicCodes ?? config.carrierNaicCodes;
  const naicCodes = (named ?? carrier.naicCodes).map(plainCompany);
  const eins = named ? [] : carrier.eins.map(plainEin);
  const isByName = naicCodes.length + eins.length === 0;
  const isOfCarrier = ({ code, eins: some, names }: Pick<NaiveAppointment, 'code' | 'eins' | 'names'>) => {
    if (isByName) return names.has(comparableName(carrier.name));
    return naicCodes.includes(code) || eins.some((ein) => some.has(ein));
  };
  // Of an appointment that counts by an EIN or a name alone, the rows that have it.
  const countsOf =
    ({ code }: NaiveAppointment) =>
    (row: AppointmentRow): boolean =>
      isByName
        ? companyName(row) === comparableName(carrier.name)
        : naicCodes.includes(code) || eins.includes(companyEin(row));
  const stated = statements.flatMap(({ rows }) => rows);
  const [ofUnread, ofStated] = [companyAmong([...stated, ...unread]), companyAmong(stated)];
  const held = appointmentsOf(statements, codes);
  const appointments = held.filter(isOfCarrier);
  const isOfOne = (row: ReturnType<typeof ofUnread>, { rows: [first] }: NaiveAppointment) =>
    first !== undefined && mayBeOne(row, ofStated(first));
  const mayBeTouched = (one: NaiveAppointment) => unread.some((row) => isOfOne(ofUnread(row), one));
  // One may be of each company that it cannot be told from.
  const unreadOnes = unread
    .map(ofUnread)
    .flatMap((row) => [
      row,
      ...[...new Set(held.filter((one) => isOfOne(row, one)).map(({ code }) => code))].flatMap((code) =>
        code === row.code ? [] : [{ ...row, code }],
      ),
    ])
    .filter(isOfCarrier);

  const items = entries.length === 0 ? [undefined] : entries;
  const covers = ({ lines }: NaiveAppointment, entry: readonly string[] | undefined) =>
    entry === undefined || lines === undefined || entry.some((code) => lines.includes(code));

  /** What some of the appointments come to, by themselves: entries that nothing may meet, and why it is not known of others. */
  const meet = (among: readonly NaiveAppointment[], unreadAmong: number) => {
    const missing: (readonly string[] | undefined)[] = [];
    const doubts: string[] = [];
    for (const entry of items) {
      const fitting = among.filter((one) => covers(one, entry));
      if (fitting.some((one) => one.on(day, countsOf(one)).is === 'covering' && !mayBeTouched(one))) continue;
      const codesOfEntry = fitting.flatMap((one) => {
        if (mayBeTouched(one)) return ['row_not_understood'];
        const state = one.on(day, countsOf(one));
        return state.is === 'unknown' ? [state.code] : [];
      });
      if (unreadAmong > 0) codesOfEntry.push('row_not_understood');
      if (codesOfEntry.length === 0) missing.push(entry);
      doubts.push(...codesOfEntry);
    }
    return { missing, doubts, isMet: missing.length + doubts.length === 0 };
  };

  const { among, isUnknown, isNotNamed } = writingCompany();
  const isAmong = ({ code }: { code: string }) => among.code === undefined || code === among.code;
  const counting = appointments.filter(isAmong);
  const together = meet(counting, unreadOnes.filter(isAmong).length);
  const ofEach = naicCodes.map((code) =>
    meet(
      appointments.filter((one) => one.code === code),
      unreadOnes.filter((one) => one.code === code).length,
    ),
  );
  const isMetByAll = ofEach.every(({ isMet }) => isMet);
  if (isNotNamed && !isMetByAll) warnings.push('company_not_named');

  const answer = (
    codesSaid: readonly string[],
    kind: NaiveReason['kind'],
    isOnBinding = false,
  ): { reasons: NaiveReason[]; warnings: string[]; isOnBinding: boolean } => ({
    reasons: codesSaid.map((code) => ({ code, kind, of: 'appointment' })),
    warnings,
    isOnBinding,
  });
  if (isUnknown === 'untold' ? isMetByAll : isUnknown === undefined && together.isMet)
    return answer([], 'against');
  if (rule.appointment === 'on binding') {
    const changes = counting
      .map((one) => one.lastChangeOn(day, countsOf(one)))
      .filter((one) => one !== undefined);
    const [last] = changes
      .map(({ at }) => at)
      .toSorted()
      .slice(-1);
    const isForCause = changes.some((one) => one.at === last && one.isForCause);
    if (isForCause) return answer(['terminated_for_cause'], 'against');
    const late = lateCode();
    return late === undefined ? answer([], 'against', true) : answer([late], 'against', true);
  }
  if (isUnknown === 'none of them') return answer(['company_unknown'], 'not known');
  // Which company it is matters only where one of them may have appointed the party.
  const [best] = ofEach.toSorted((one, other) => one.missing.length - other.missing.length);
  const { missing, doubts } = (isUnknown === 'untold' ? best : undefined) ?? together;
  if (missing.length === 0)
    return answer([...(isUnknown === 'untold' ? ['company_unknown'] : []), ...doubts], 'not known');
  const hadOne = counting.some(
    (one) => missing.some((entry) => covers(one, entry)) && one.coveredBefore(day, countsOf(one)),
  );
  const code = hadOne ? 'appointment_ended' : 'appointment_missing';
  return answer([code], 'against');

  /** Whether the appointment is overdue, or was late for a sale on the day. */
  function lateCode(): 'appointment_overdue' | 'appointment_late' | undefined {
    const isMetOn = (on: string, some = entries): boolean =>
      judgeAppointments(
        { history, said: [], question: { ...question, day: on } },
        some,
        { ...rule, appointment: 'required' },
        config,
        question,
      ).reasons.length === 0;
    const { saleSeenOn } = question;
    const sold = history
      .sales(stateCode)
      .filter(({ carrierNaicCode = '' }) => {
        const code = plainCompany(carrierNaicCode);
        const counts = among.code === undefined ? naicCodes : [among.code];
        return code === '' || counts.length === 0 || counts.includes(code);
      })
      // The sales of the histories ask for no line of authority.
      .flatMap((sale) => (sale.day !== null && sale.day <= day && !isMetOn(sale.day, []) ? [sale.day] : []))
      .concat(saleSeenOn === undefined ? [] : [day])
      .toSorted();
    // The first since an appointment last covered.
    const first = sold.find((one) => datesFrom(one, day).every((between) => !isMetOn(between)));
    if (first === undefined || rule.appointWithinDays == null) return undefined;
    const dueOn = addDays(first, rule.appointWithinDays);
    const appointedOn =
      saleSeenOn && datesFrom(addDays(day, 1), addDays(saleSeenOn, 1)).find((one) => isMetOn(one));
    if ((appointedOn ?? saleSeenOn ?? day) <= dueOn) return undefined;
    return day > dueOn ? 'appointment_overdue' : 'appointment_late';
  }

  /** The company on whose paper the sale is, where that counts. */
  function writingCompany(): {
    among: { code: string | undefined };
    isUnknown: 'untold' | 'none of them' | undefined;
    isNotNamed: boolean;
  } {
    const any = { among: { code: undefined }, isUnknown: undefined, isNotNamed: false };
    if (naicCodes.length < 2 || rule.appointmentBy === 'group') return any;
    const isNamed = (company?.naicCode ?? '') !== '' || (company?.name ?? '') !== '';
    if (!isNamed) return { ...any, isNotNamed: true };
    const name = comparableName(company?.name ?? '');
    const held = [
      ...new Set(
        appointmentsOf(statements, codes)
          .filter((one) => one.code !== '' && one.names.has(name))
          .map(({ code }) => code),
      ),
    ];
    const ofName =
      held.length === 1 ? held[0] : held.length > 1 ? undefined : codeInCatalog?.(company?.name ?? '');
    const code = plainCompany(company?.naicCode ?? null) || plainCompany(ofName ?? null);
    if (code === '') return { ...any, isUnknown: 'untold' };
    if (!naicCodes.includes(code)) return { ...any, isUnknown: 'none of them' };
    return { ...any, among: { code } };
  }
}

// ── The sale

/** May these, for this agency, sell this? */
export function decideSaleNaively(question: NaiveSale): NaiveAnswer & { verifiedAt: string | null } {
  const { rule, config, configBasis } = requirementOn(question);
  const { sellers, today, verifiedWithinDays } = question;
  const isAskedAlone = (of: Party) =>
    rule?.licenseOf === of || (rule?.appointment !== 'not required' && rule?.appointmentOf === of);
  // Where nobody else can meet what is asked, an agency needs an NPN that otherwise needs none.
  const isNeeded = question.agency?.npn === 'not needed' && (sellers.length === 0 || isAskedAlone('agency'));
  const agency: NaiveParty | undefined =
    question.agency && isNeeded ? { ...question.agency, npn: 'missing' } : question.agency;
  const parties = [...(agency ? [agency] : []), ...sellers];
  const nobodyThere: NaiveReason[] = [
    ...(sellers.length === 0 && isAskedAlone('agent') ? ['seller_not_named'] : []),
    ...(agency === undefined && isAskedAlone('agency') ? ['agency_unknown'] : []),
  ].map((code) => ({ code, kind: 'not known', of: 'sale' }));
  if (!rule || !config) return { ...answerOf(notConfigured, configBasis), verifiedAt: null };
  const isOld = ({ verifiedAt }: NaiveParty): boolean =>
    Boolean(verifiedWithinDays) &&
    (verifiedAt === null ||
      (verifiedAt !== undefined &&
        daysBetween(newYorkDate(new Date(verifiedAt)), today) > (verifiedWithinDays ?? 0)));
  const all = parties.map((party) => {
    const judged = judge(question, party, rule, config);
    const isAsked = judged.isLicenseAsked || judged.isAppointmentAsked;
    if (isOld(party) && isAsked && !isAllAgainst(judged))
      judged.reasons.push({ code: 'not_verified', kind: 'not known', of: 'sale' });
    const isOwnLicenseKnown =
      !judged.isLicenseAsked || judged.reasons.some(({ of, kind }) => of === 'license' && kind === 'against');
    return { party, ...judged, isOwnLicenseKnown };
  });
  for (const one of all)
    if (one.party.party === 'agent' || sellers.length === 0)
      judgeFurther(question, [...new Set([one.party, ...(agency ? [agency] : [])])], one, rule, isOld);
  if (rule.appointmentOf === 'either' && rule.appointment !== 'not required') settleEither(all);
  const asked = all.filter((one) => one.isLicenseAsked || one.isAppointmentAsked);
  const times = asked.map(({ party }) => party.verifiedAt).filter((one) => one !== undefined);
  for (const one of all) {
    const said = ownWordOf(one.party, question, config);
    if (question.day < today && said.length > 0) one.warnings.push('association_of_today');
    if (question.day >= today)
      one.reasons.push(...said.map((code): NaiveReason => ({ code, kind: 'against', of: 'sale' })));
  }
  const answers = all.map((one) => answerOf(one, configBasis));
  if (nobodyThere.length > 0) {
    const isAppointmentAsked = rule.appointment !== 'not required';
    const missing = { ...notConfigured, reasons: nobodyThere, isAppointmentAsked };
    answers.push(answerOf(missing, configBasis));
  }
  return {
    verdict: verdictOf([...nobodyThere, ...all.flatMap(({ reasons }) => reasons)]),
    licenseStatus: strictest(
      licenseStatusNames,
      answers.map((one) => one.licenseStatus),
      'Not Required',
    ),
    appointmentStatus: strictest(
      appointmentStatusNames,
      answers.map((one) => one.appointmentStatus),
      'Not Required',
    ),
    reasons: texts(answers.flatMap(({ reasons }) => reasons)),
    warnings: texts(answers.flatMap(({ warnings }) => warnings)),
    configBasis,
    verifiedAt: times.includes(null) ? null : (times.filter((one) => one !== null).toSorted()[0] ?? null),
  };
}

/** With whether no license is asked of it, further ones apart, or something is against that. */
type OfParty = Judged & { party: NaiveParty; isOwnLicenseKnown: boolean };

/** Of an appointment that the agency or the agent must have: who has the worse answer is not asked. */
function settleEither(all: OfParty[]): void {
  const ofAppointment = ({ reasons }: OfParty) => reasons.filter(({ of }) => of === 'appointment');
  const isNotFound = ({ reasons }: OfParty) => reasons.some(({ of }) => of === 'sale');
  /** What is not known of the party as a whole counts too, unless something is against its appointment. */
  const countOf = (one: OfParty): number =>
    one.reasons.filter(({ of }) => of === 'appointment' || (of === 'sale' && rank(one) === 3)).length;
  const rank = (one: OfParty): number => {
    const reasons = ofAppointment(one);
    if (!one.isAppointmentAsked) return 9;
    if (reasons.some(({ kind }) => kind === 'against')) return 4;
    if (reasons.length > 0 || isNotFound(one)) return 3;
    return one.isOnBinding ? 2 : 1;
  };
  const agency = all.find(({ party }) => party.party === 'agency');
  const sellers = all.filter(({ party }) => party.party === 'agent');
  if (!agency || sellers.length === 0) return;
  const chosen = new Set(
    sellers.map((seller) => {
      const [mine, theirs] = [seller, agency].map(rank) as [number, number];
      if (mine !== theirs) return mine < theirs ? seller : agency;
      return countOf(agency) < countOf(seller) ? agency : seller;
    }),
  );
  for (const one of all)
    if (!chosen.has(one)) {
      // What is not known of a party of whom nothing else is asked is not asked either.
      one.reasons = one.reasons.filter(
        ({ of }) => of !== 'appointment' && (of !== 'sale' || !one.isOwnLicenseKnown),
      );
      one.appointmentWarnings = [];
      one.isAppointmentAsked = false;
      one.isOnBinding = false;
    }
}

/** What the carrier itself says of a party, from today on. */
function ownWordOf({ party, ownWord }: NaiveParty, question: NaiveSale, config: NaiveConfig): string[] {
  if (!ownWord) return [];
  const codes: string[] = [];
  if (ownWord.isArchived) codes.push('seller_archived');
  if (ownWord.isAssociationActive === false) codes.push('association_not_active');
  const asked = config.authority ?? 'if stated';
  const stated = ownWord.authority?.find((one) => one.upstreamEntityProductId === question.productId);
  const isMissing = stated ? !stated.approvedStates.includes(question.stateCode) : asked === 'required';
  if (party === 'agent' && asked !== 'ignored' && isMissing) codes.push('authority_missing');
  return codes;
}
