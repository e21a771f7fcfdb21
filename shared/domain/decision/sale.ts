import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import type { Due } from './appointment-verdict.ts';
import { asksAlone, type ConfigVersion, type LineRequirement, type Rule } from './compliance-config.ts';
import { dayAfter, dayBefore, knownOn, laterOf, never } from './dates.ts';
import {
  type Answer,
  type Asked,
  answerOf,
  earliest,
  type Findings,
  findingsOf,
  joined,
  nextAnswerOn,
  once,
  type PartyFacts,
  requirementOf,
  type Status,
  statusOf,
  verdictOf,
} from './decide.ts';
import { isAgainst, type Reason, reasonOf, type Said, type Subject, statusOfReason } from './reasons.ts';
import type { Found } from './search.ts';

/** The carrier's own word about a party now. An absent member is not asked. */
export interface OwnWord {
  readonly isArchived?: boolean | undefined;
  /** The agent's `authority`, of all products. */
  readonly authority?:
    | readonly { readonly upstreamEntityProductId: string; readonly approvedStates: readonly string[] }[]
    | undefined;
  /** Whether the association with an agency is `active`. */
  readonly isAssociationActive?: boolean | undefined;
}

/** Somebody who sells, or the agency for which somebody sells. */
export interface SaleParty extends PartyFacts {
  /** Name by which a message calls them; undefined where there is but one of their kind. */
  readonly name?: string | undefined;
  /** Absent where the carrier's own word does not count. */
  readonly ownWord?: OwnWord | undefined;
  /**
   * Moment at which the registry or complete imports last confirmed all licenses and appointments of the state: ISO time in UTC. Null:
   * never. Absent where their age does not count.
   */
  readonly verifiedAt?: string | null | undefined;
}

/** May these, for this agency, sell this product here on this day, as known at this moment? */
export interface SaleQuestion<One extends SaleParty = SaleParty> extends Omit<Asked, 'configs'> {
  /** Undefined where there is no agency that could be judged. */
  readonly agency: One | undefined;
  readonly sellers: readonly One[];
  /** The versions of the product's config; none where the product is not known. */
  readonly configs: readonly ConfigVersion[];
  /** Null where the product is not known or not one of the carrier's. */
  readonly productId: string | null;
  /** The day on which it is asked: the carrier's own word counts from it on, and the age of what was verified is that on it. */
  readonly today: CalendarDate;
  /** Days after which what was verified is old; null or absent where it never is. */
  readonly verifiedWithinDays?: number | null | undefined;
  /** Reasons that those who resolved the question have found (`not_associated`, `seller_unknown`, `seller_not_named` …). */
  readonly found?: readonly Reason[] | undefined;
}

export interface SaleAnswer<One extends SaleParty = SaleParty> extends Answer {
  readonly agency: (Answer & { readonly of: One }) | undefined;
  readonly sellers: readonly (Answer & { readonly of: One })[];
  /** The oldest of the parties that need something; null where one was never verified. */
  readonly verifiedAt: string | null;
}

/** The first day on which what was verified of a party is too old; null where that is not to come. */
const staleFrom = (
  { verifiedAt }: SaleParty,
  { verifiedWithinDays }: Pick<SaleQuestion, 'verifiedWithinDays'>,
): CalendarDate | null =>
  verifiedWithinDays == null || verifiedAt == null
    ? null
    : addDays(knownOn(verifiedAt), verifiedWithinDays + 1);

function verificationReasons(party: SaleParty, question: SaleQuestion): Said[] {
  const { verifiedAt } = party;
  if (question.verifiedWithinDays == null || verifiedAt === undefined) return [];
  if (verifiedAt === null) return [{ code: 'not_verified' }];
  const isFresh = question.today < (staleFrom(party, question) ?? '');
  return isFresh ? [] : [{ code: 'not_verified', day: knownOn(verifiedAt) }];
}

/** Reasons against a party by the carrier's own word. */
function againstByOwnWord(
  { isArchived, authority, isAssociationActive }: OwnWord,
  mode: ConfigVersion['authority'],
  { productId, stateCode }: SaleQuestion,
): Said[] {
  const authorityOfProduct = authority?.find(
    ({ upstreamEntityProductId }) => upstreamEntityProductId === productId,
  );
  const isApproved =
    authority === undefined || mode === 'ignored'
      ? true
      : (authorityOfProduct?.approvedStates.includes(stateCode) ?? mode !== 'required');
  return [
    ...(isApproved ? [] : [{ code: 'authority_missing' } as const]),
    ...(isArchived === true ? [{ code: 'seller_archived' } as const] : []),
    ...(isAssociationActive === false ? [{ code: 'association_not_active' } as const] : []),
  ];
}

/** Distance of findings from what is asked: nothing is wrong, it is to be appointed, is not known, is against. */
const distance = ({ reasons, ...found }: Found<unknown> & { readonly due?: unknown }): number => {
  if (reasons.length > 0) return reasons.some(isAgainst) ? 3 : 2;
  return Number(found.due !== undefined);
};

/** Findings about the parties to a sale. */
interface Together {
  readonly agency: Findings | undefined;
  readonly sellers: readonly Findings[];
}

/** Asks the appointment of the agency or of who sells where either is to be appointed: the appointment of who is nearer is asked, else of who sells. */
function withEither({ agency, sellers }: Together): Together {
  const ofAgency = agency?.appointments;
  if (ofAgency === undefined || sellers.length === 0) return { agency, sellers };
  const isOfSeller = sellers.map(
    ({ appointments }) => appointments !== undefined && distance(appointments) <= distance(ofAgency),
  );
  const withoutAppointment = (findings: Findings): Findings => ({ ...findings, appointments: undefined });
  return {
    agency: agency && (isOfSeller.includes(false) ? agency : withoutAppointment(agency)),
    sellers: sellers.map((seller, index) =>
      isOfSeller[index] === true ? seller : withoutAppointment(seller),
    ),
  };
}

/** Further licenses: each is to be met by who sells or by the agency; what is said of one that is not is said of who sells. */
function withFurther({ agency, sellers }: Together): Together {
  let ofAgency = agency;
  const judgedSellers = sellers.length === 0 ? [undefined] : sellers;
  const settledSellers = judgedSellers.map((seller) => {
    let ofSeller = seller;
    for (const [index, finding] of (seller ?? agency)?.further.entries() ?? []) {
      const otherFinding = agency?.further[index];
      const isOfAgency =
        seller === undefined || (otherFinding !== undefined && distance(otherFinding) < distance(finding));
      if (isOfAgency && ofAgency !== undefined) {
        ofAgency = { ...ofAgency, licenses: joined(ofAgency.licenses, otherFinding ?? finding) };
      } else if (ofSeller !== undefined) {
        ofSeller = { ...ofSeller, licenses: joined(ofSeller.licenses, finding) };
      }
    }
    return ofSeller;
  });
  return { agency: ofAgency, sellers: settledSellers.filter((seller) => seller !== undefined) };
}

/** Entries that several ask for, each once. */
const linesOfAll = (lines: readonly LineRequirement[]): LineRequirement[] => [
  ...new Map(lines.map((line) => [JSON.stringify(line), line])).values(),
];

/** The appointments that are missing, as one: the lines of all, on the first day, and made with the last of them. */
function strictestDue(answers: readonly Pick<Answer, 'dueAppointment'>[]): Due | null {
  const all = answers.flatMap(({ dueAppointment }) => dueAppointment ?? []);
  if (all.length === 0) return null;
  const appointedDays = all.flatMap(({ appointedOn }) => appointedOn ?? []);
  return {
    linesOfAuthority: linesOfAll(all.flatMap(({ linesOfAuthority }) => linesOfAuthority)),
    dueOn: earliest(all.map(({ dueOn }) => dueOn)),
    appointedOn: appointedDays.length < all.length ? null : (appointedDays.sort(compare).at(-1) ?? null),
  };
}

/**
 * Several answers as one: of the parties to a sale, or about the products that a policy may be of; the strictest counts.
 * @param found what is said of all of them together: of a status where it is asked, or is so of one of them.
 */
export function together(
  answers: readonly Answer[],
  found: readonly Reason[] = [],
  isAppointmentAsked = false,
): Answer {
  const [onlyAnswer] = answers;
  if (onlyAnswer !== undefined && answers.length === 1 && found.length === 0) return onlyAnswer;
  const reasons = once([...found, ...answers.flatMap((answer) => answer.reasons)]);
  const onBinding = answers.flatMap(({ onBinding }) => onBinding ?? []);
  const strictest = <Of extends Subject>(of: Of, statuses: readonly Status<Of>[], isAsked: boolean) => {
    const names = statuses.map(({ statusName }) => statusName);
    const isOfAll = isAsked || names.some((name) => name !== 'Not Required');
    return statusOf(
      of,
      [...names, ...(isOfAll ? found.map((reason) => statusOfReason(reason, of)) : [])],
      [
        ...statuses.flatMap(({ statusMessages = [] }) => statusMessages),
        ...(of === 'license' ? found.map(({ message }) => message) : []),
      ],
    );
  };
  return {
    verdict: verdictOf(reasons),
    licenseStatus: strictest(
      'license',
      answers.map(({ licenseStatus }) => licenseStatus),
      true,
    ),
    appointmentStatus: strictest(
      'appointment',
      answers.map(({ appointmentStatus }) => appointmentStatus),
      isAppointmentAsked,
    ),
    reasons,
    warnings: once(answers.flatMap(({ warnings }) => warnings)),
    onBinding: answers.every((answer) => answer.onBinding === null) ? null : linesOfAll(onBinding),
    dueAppointment: strictestDue(answers),
    basis: answers.every(({ basis }) => basis === 'history') ? 'history' : 'registry dates',
    configBasis: answers.every(({ configBasis }) => configBasis === 'version') ? 'version' : 'first version',
    covering: {
      licenses: [...new Set(answers.flatMap(({ covering }) => covering.licenses))],
      appointments: [...new Set(answers.flatMap(({ covering }) => covering.appointments))],
    },
  };
}

/** Findings about a party alone, and the answer that follows unless the sale asks it for less or more. */
export interface Judged {
  readonly findings: Findings;
  readonly answer: Answer;
}

/** Reasons for parties that are missing, where something is asked of them alone. */
function missingParties(
  { agency, sellers, found = [], stateCode }: SaleQuestion,
  rule: Rule | undefined,
): Reason[] {
  const missingOfRule = [
    { party: 'seller', code: 'seller_not_named', is: sellers.length === 0 && asksAlone(rule, 'agent') },
    { party: 'agency', code: 'agency_unknown', is: agency === undefined && asksAlone(rule, 'agency') },
  ] as const;
  return missingOfRule.flatMap(({ party, code, is }) =>
    is && !found.some((reason) => reason.party === party)
      ? [reasonOf({ party, stateCode }, 'license', { code })]
      : [],
  );
}

/** An agency that needs no NPN needs one all the same where nobody else can meet what is asked. */
const npnFor = (
  { party, npn }: SaleParty,
  { sellers }: SaleQuestion,
  rule: Rule | undefined,
): SaleParty['npn'] =>
  npn === 'not needed' && (sellers.length === 0 || asksAlone(rule, party)) ? 'missing' : npn;

/** Judges a party alone on a day, for a caller that remembers it. */
export type JudgedOf<One extends SaleParty> = (
  party: One,
  judge: () => Judged,
  on: Pick<SaleQuestion, 'day' | 'today'>,
) => Judged;

const judgeAgain = (_party: unknown, judge: () => Judged): Judged => judge();

/** The answers about who sells and about the agency, judged together, and what is found beside them. */
function answersOf<One extends SaleParty>(question: SaleQuestion<One>, remember: JudgedOf<One>) {
  const { agency, sellers, configs, day, today } = question;
  const [first, ...otherConfigs] = configs;
  const requirement = first && requirementOf(question, [first, ...otherConfigs]);
  const rule = requirement?.rule;
  const found = [...(question.found ?? []), ...missingParties(question, rule)];
  const answerFor = (party: One, findings: Findings): Answer => {
    const ownWord = party.ownWord ?? {};
    // What the carrier says now says nothing of earlier days, but that is worth knowing of an association.
    const isOfToday = day < today && ownWord.isAssociationActive === false;
    return answerOf(party, findings, requirement, question, {
      name: party.name,
      ownWord: day < today ? [] : againstByOwnWord(ownWord, requirement?.config.authority, question),
      warnings: isOfToday ? [{ code: 'association_of_today' }] : [],
    });
  };
  const judgeParty = (party: One): Judged & { of: One } => {
    const npn = npnFor(party, question, rule);
    const judge = (): Judged => {
      const notVerified = verificationReasons(party, question);
      const findings = findingsOf({ ...party, npn }, requirement, question, notVerified);
      return { findings, answer: answerFor(party, findings) };
    };
    // What depends on the other parties is not that of the party alone.
    return { ...(npn === party.npn ? remember(party, judge, question) : judge()), of: party };
  };
  const [ofAgency, ofSellers] = [agency && judgeParty(agency), sellers.map(judgeParty)];
  const parties = settleParties(
    { agency: ofAgency?.findings, sellers: ofSellers.map(({ findings }) => findings) },
    rule,
  );
  const answerOfParty = ({ of, findings, answer }: Judged & { of: One }, asked: Findings | undefined) => ({
    ...(asked === undefined || asked === findings ? answer : answerFor(of, asked)),
    of,
  });
  const answers = {
    agency: ofAgency && answerOfParty(ofAgency, parties.agency),
    sellers: ofSellers.map((seller, index) => answerOfParty(seller, parties.sellers[index])),
  };
  const all = [...answers.sellers, ...(answers.agency === undefined ? [] : [answers.agency])];
  return { answers, all, found, rule };
}

/**
 * The answer for a sale: who sells and the agency are judged together (OpenAPI, "May she sell?").
 * @param remember for a caller that asks the same again of a party: what was judged of it, or what `judge` finds.
 */
export function decideSale<One extends SaleParty>(
  question: SaleQuestion<One>,
  remember: JudgedOf<One> = judgeAgain,
): SaleAnswer<One> {
  const { answers, all, found, rule } = answersOf(question, remember);
  const [oldest = null] = all
    .filter(isAsked)
    .flatMap(({ of: { verifiedAt } }) => (verifiedAt === undefined ? [] : [verifiedAt]))
    .sort((one, otherFinding) => compare(one ?? '', otherFinding ?? ''));
  return { ...answers, ...together(all, found, rule?.appointment !== 'not required'), verifiedAt: oldest };
}

const isAsked = ({ licenseStatus, appointmentStatus }: Answer): boolean =>
  licenseStatus.statusName !== 'Not Required' || appointmentStatus.statusName !== 'Not Required';

/** Findings about the parties once it is settled who has to meet what may be met by one of them. */
function settleParties(parties: Together, rule: Rule | undefined): Together {
  const found = rule?.appointmentOf === 'either' ? withEither(parties) : parties;
  return (rule?.furtherLicenses ?? []).length > 0 ? withFurther(found) : found;
}

/** Days on which a verdict is looked for that is another one, at most: beyond, it is not known for how long it is good. */
const mostChanges = 500;

/**
 * The last day of the same verdict by what is known now; null where no change of it is known.
 * @param answer that of the question.
 */
export function goodUntilOf<One extends SaleParty>(
  question: SaleQuestion<One>,
  answer: Pick<Answer, 'verdict' | 'dueAppointment'>,
  remember: JudgedOf<One> = judgeAgain,
): CalendarDate | null {
  const { agency, sellers, today } = question;
  const parties = [...sellers, ...(agency === undefined ? [] : [agency])];
  const coverages = parties.map(({ coverage }) => coverage);
  let { day } = question;
  // An answer of today about a later day may rest on what is too old by then: of the day after it the verdict is another one.
  const stale = parties.flatMap((party) => laterOf(staleFrom(party, question) ?? never, dayAfter(day)));
  let due = answer.dueAppointment;
  for (let changes = 0; ; changes += 1) {
    const laterDays = [today, ...stale].filter((from) => from > day && from !== never);
    const next = earliest([
      nextAnswerOn(coverages, { ...question, day }, { dueAppointment: due }),
      ...laterDays,
    ]);
    if (next === null) return null;
    // Of the days to come, the verdict alone counts, and what is due.
    const { all, found } = answersOf(
      { ...question, day: next, today: next > today ? next : today },
      remember,
    );
    const verdict = verdictOf([...found, ...all.flatMap(({ reasons }) => reasons)]);
    if (changes >= mostChanges || verdict !== answer.verdict) return dayBefore(next);
    day = next;
    due = strictestDue(all);
  }
}
