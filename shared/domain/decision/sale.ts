import { valueByKey } from '#platform/data/caches.ts';
import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { codesOn } from './carrier.ts';
import { asksAlone, type ConfigVersion, type LineRequirement } from './compliance-config.ts';
import { firstDayAlike } from './coverage.ts';
import { dayAfter, dayBefore, earliest, knownOn, laterOf, never } from './dates.ts';
import {
  type Answer,
  answerOf,
  type Findings,
  findingsOf,
  joined,
  nextAnswerOn,
  once,
  type PartyFacts,
  type Question,
  requirementOf,
  type Status,
  statusOf,
  verdictOf,
} from './decide.ts';
import type { Due, Finding } from './findings.ts';
import {
  isAgainst,
  type Reason,
  type ReasonDraft,
  reasonOf,
  type Subject,
  statusOfReason,
} from './reasons.ts';

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
export interface SaleQuestion<One extends SaleParty = SaleParty> extends Omit<Question, 'configs'> {
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

/** The first day on which what was verified of a party is too old; `never` where that is not to come. */
const staleFrom = (
  { verifiedAt }: SaleParty,
  { verifiedWithinDays }: Pick<SaleQuestion, 'verifiedWithinDays'>,
): CalendarDate =>
  verifiedWithinDays == null || verifiedAt == null
    ? never
    : addDays(knownOn(verifiedAt), verifiedWithinDays + 1);

function verificationReasons(party: SaleParty, question: SaleQuestion): ReasonDraft[] {
  const { verifiedAt } = party;
  if (question.verifiedWithinDays == null || verifiedAt === undefined) return [];
  if (verifiedAt === null) return [{ code: 'not_verified' }];
  return question.today < staleFrom(party, question)
    ? []
    : [{ code: 'not_verified', day: knownOn(verifiedAt) }];
}

/** Reasons against a party by the carrier's own word. */
function againstByOwnWord(
  { isArchived, authority, isAssociationActive }: OwnWord,
  mode: ConfigVersion['authority'],
  { productId, stateCode }: SaleQuestion,
): ReasonDraft[] {
  const ofProduct = authority?.find(({ upstreamEntityProductId: id }) => id === productId);
  const isApproved = ofProduct?.approvedStates.includes(stateCode) ?? mode !== 'required';
  const reasons: ReasonDraft[] = [];
  if (authority !== undefined && mode !== 'ignored' && !isApproved)
    reasons.push({ code: 'authority_missing' });
  if (isArchived === true) reasons.push({ code: 'seller_archived' });
  if (isAssociationActive === false) reasons.push({ code: 'association_not_active' });
  return reasons;
}

/** Distance of findings from what is asked: nothing is wrong, it is to be appointed, is not known, is against. */
const distance = ({ reasons, ...more }: Finding<unknown> & { readonly due?: unknown }): number => {
  if (reasons.length > 0) return reasons.some(isAgainst) ? 3 : 2;
  return Number(more.due !== undefined);
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
  const withoutAppointment = (findings: Findings): Findings => ({ ...findings, appointments: undefined });
  const askedSellers = sellers.map((seller) =>
    seller.appointments !== undefined && distance(seller.appointments) <= distance(ofAgency)
      ? seller
      : withoutAppointment(seller),
  );
  const isOfAgency = askedSellers.some(({ appointments }) => appointments === undefined);
  return { agency: isOfAgency ? agency : agency && withoutAppointment(agency), sellers: askedSellers };
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
  const appointedDays = all.flatMap(({ appointedOn }) => appointedOn ?? []).sort(compare);
  return {
    linesOfAuthority: linesOfAll(all.flatMap(({ linesOfAuthority }) => linesOfAuthority)),
    dueOn: earliest(all.map(({ dueOn }) => dueOn)),
    appointedOn: appointedDays.length < all.length ? null : (appointedDays.at(-1) ?? null),
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
  const licenseStatuses = answers.map(({ licenseStatus }) => licenseStatus);
  const appointmentStatuses = answers.map(({ appointmentStatus }) => appointmentStatus);
  return {
    verdict: verdictOf(reasons),
    licenseStatus: strictest('license', licenseStatuses, true),
    appointmentStatus: strictest('appointment', appointmentStatuses, isAppointmentAsked),
    reasons,
    warnings: once(answers.flatMap(({ warnings }) => warnings)),
    appointmentLines: answers.every(({ appointmentLines }) => appointmentLines === null)
      ? null
      : linesOfAll(answers.flatMap(({ appointmentLines }) => appointmentLines ?? [])),
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
export interface Judgment {
  readonly findings: Findings;
  readonly answer: Answer;
}

/** Judges a party alone on a day, for a caller that remembers it. */
export type JudgmentOf<One extends SaleParty> = (
  party: One,
  judge: () => Judgment,
  on: Pick<SaleQuestion, 'day' | 'today'>,
) => Judgment;

const judgeAgain = (_party: unknown, judge: () => Judgment): Judgment => judge();

/** The answers about who sells and about the agency, judged together, and what is found beside them. */
function answersOf<One extends SaleParty>(question: SaleQuestion<One>, remember: JudgmentOf<One>) {
  const { agency, sellers, configs, day, today } = question;
  const [first, ...otherConfigs] = configs;
  const requirement = first && requirementOf(question, [first, ...otherConfigs]);
  const rule = requirement?.rule;
  const found = [...(question.found ?? [])];
  /** Says of a party that is missing so, where something is asked of it alone. */
  const findMissing = (party: 'seller' | 'agency', code: ReasonDraft['code']): void => {
    if (asksAlone(rule, party === 'seller' ? 'agent' : party) && !found.some((one) => one.party === party))
      found.push(reasonOf({ party, stateCode: question.stateCode }, 'license', { code }));
  };
  if (sellers.length === 0) findMissing('seller', 'seller_not_named');
  if (agency === undefined) findMissing('agency', 'agency_unknown');
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
  const judgeParty = (party: One): Judgment & { readonly of: One } => {
    // An agency that needs no NPN needs one all the same where nobody else can meet what is asked.
    const isNpnMissing = party.npn === 'not needed' && (sellers.length === 0 || asksAlone(rule, party.party));
    const judge = (): Judgment => {
      const facts = isNpnMissing ? { ...party, npn: 'missing' as const } : party;
      const findings = findingsOf(facts, requirement, question, verificationReasons(party, question));
      return { findings, answer: answerFor(party, findings) };
    };
    // What depends on the other parties is not that of the party alone.
    return { ...(isNpnMissing ? judge() : remember(party, judge, question)), of: party };
  };
  const [ofAgency, ofSellers] = [agency && judgeParty(agency), sellers.map(judgeParty)];
  let parties: Together = {
    agency: ofAgency?.findings,
    sellers: ofSellers.map(({ findings }) => findings),
  };
  if (rule?.appointmentOf === 'either') parties = withEither(parties);
  if ((rule?.furtherLicenses ?? []).length > 0) parties = withFurther(parties);
  const settled = ({ of, findings, answer }: Judgment & { of: One }, asked: Findings | undefined) => ({
    ...(asked === undefined || asked === findings ? answer : answerFor(of, asked)),
    // Of either, a sale counts for each: an appointment that covers it may turn out to have ended before.
    appointmentLines: answer.appointmentLines,
    of,
  });
  const answers = {
    agency: ofAgency && settled(ofAgency, parties.agency),
    sellers: ofSellers.map((seller, index) => settled(seller, parties.sellers[index])),
  };
  return { answers, all: [...answers.sellers, ...(answers.agency ? [answers.agency] : [])], found, rule };
}

/**
 * The answer for a sale: who sells and the agency are judged together (OpenAPI, "May she sell?").
 * @param remember for a caller that asks the same again of a party: what was judged of it, or what `judge` finds.
 */
export function decideSale<One extends SaleParty>(
  question: SaleQuestion<One>,
  remember: JudgmentOf<One> = judgeAgain,
): SaleAnswer<One> {
  const { answers, all, found, rule } = answersOf(question, remember);
  const [oldest = null] = all
    .filter(
      ({ licenseStatus, appointmentStatus }) =>
        licenseStatus.statusName !== 'Not Required' || appointmentStatus.statusName !== 'Not Required',
    )
    .flatMap(({ of: { verifiedAt } }) => (verifiedAt === undefined ? [] : [verifiedAt]))
    .sort((one, otherMoment) => compare(one ?? '', otherMoment ?? ''));
  return { ...answers, ...together(all, found, rule?.appointment !== 'not required'), verifiedAt: oldest };
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
  remember: JudgmentOf<One> = judgeAgain,
): CalendarDate | null {
  const { agency, sellers, today } = question;
  const parties = [...sellers, ...(agency === undefined ? [] : [agency])];
  const coverages = parties.map(({ coverage }) => coverage);
  let { day } = question;
  // An answer of today about a later day may rest on what is too old by then: of the day after it the verdict is another one.
  const staleDays = parties.map((party) => laterOf(staleFrom(party, question), dayAfter(day)));
  let due = answer.dueAppointment;
  for (let changes = 0; ; changes += 1) {
    const laterDays = [today, ...staleDays].filter((from) => from > day && from !== never);
    const next = earliest([
      nextAnswerOn(coverages, { ...question, day }, { dueAppointment: due }),
      ...laterDays,
    ]);
    if (next === null) return null;
    // Of the days to come, the verdict alone counts, and what is due.
    const { all, found } = answersOf({ ...question, day: next, today: laterOf(next, today) }, remember);
    const verdict = verdictOf([...found, ...all.flatMap(({ reasons }) => reasons)]);
    if (changes >= mostChanges || verdict !== answer.verdict) return dayBefore(next);
    day = next;
    due = strictestDue(all);
  }
}

/** May these parties sell what a policy is of, in its state, on a day, as known at a moment? */
interface PolicyQuestion<One extends SaleParty = SaleParty>
  extends Omit<SaleQuestion<One>, 'configs' | 'productId' | 'found'> {
  /** The products that the policy may be of: where there are several, the strictest decides; where none, `product_unknown`. */
  readonly products: readonly {
    readonly productId: string;
    readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  }[];
  /** Whether the policy names sellers: `one` or more who are all identified, some who are not (`unknown`), or `nobody`. */
  readonly named: 'one' | 'unknown' | 'nobody';
  /** The organization's setting: whether its policies name their agents. */
  readonly policiesNameAgents: boolean;
}

export interface PolicyAnswer<One extends SaleParty = SaleParty>
  extends Omit<SaleAnswer<One>, 'verifiedAt' | 'agency'> {
  /** Null where the verdict is unknown. */
  readonly complianceStatus: 'COMPLIANT' | 'NOT_COMPLIANT' | null;
  readonly agency: Answer;
}

/** The compliance status of a verdict, where nothing is said of what is not known. */
export const complianceStatusOf = { yes: 'COMPLIANT', no: 'NOT_COMPLIANT', unknown: null } as const;

/** The answer for a policy: the agency and everybody who sold it are judged (OpenAPI, "How compliance is decided"). */
export function decidePolicy<One extends SaleParty>(
  { products, named, policiesNameAgents, ...question }: PolicyQuestion<One>,
  remember?: (productId: string | null) => JudgmentOf<One>,
): PolicyAnswer<One> {
  const found: Reason[] = [];
  const find = (party: 'seller' | 'agency', code: ReasonDraft['code']): void =>
    void found.push(reasonOf({ party, stateCode: question.stateCode }, 'license', { code }));
  if (named === 'unknown') find('seller', 'seller_unknown');
  if (question.agency === undefined) find('agency', 'agency_unknown');
  if (named === 'nobody' && policiesNameAgents) find('seller', 'seller_not_named');
  const candidates = products.length === 0 ? [{ productId: null, configs: [] }] : products;
  const answers = candidates.map(({ productId, configs }) =>
    decideSale({ ...question, productId, configs, found }, remember?.(productId)),
  );
  const all = together(answers);
  return {
    ...all,
    complianceStatus: complianceStatusOf[all.verdict],
    agency: together(answers.flatMap(({ agency }) => agency ?? [])),
    sellers: question.sellers.map((of, index) => ({
      ...together(answers.flatMap(({ sellers }) => sellers[index] ?? [])),
      of,
    })),
  };
}

/**
 * Decides as `decidePolicy`, each thing once: most policies of an agency ask the same of the same parties, on days between which
 * nothing changes. For policies of one carrier, as known at one moment on one day, by the same catalog.
 */
export function rememberingPolicies<One extends SaleParty>(): (
  question: PolicyQuestion<One>,
) => PolicyAnswer<One> {
  const numbers = new Map<object, number>();
  const answers = new Map<string, PolicyAnswer<One>>();
  const judgments = new Map<string, Judgment>();
  const numberOf = (one: object): number => valueByKey(numbers, one, () => numbers.size);
  return (question) => {
    const { stateCode, day, today, saleSeenOn, carrier, company, agency, sellers, named, products } =
      question;
    const partyKey = (party: One): string =>
      `${numberOf(party)} ${firstDayAlike(party.coverage, stateCode, day)}`;
    const productKeys = new Map(
      products.map(({ productId, configs }) => {
        const { config, configBasis, rule } = requirementOf(question, configs);
        // When an appointment is due depends on the day itself.
        const dueKey = rule?.appointment === 'on binding' ? `${day} ${saleSeenOn}` : '';
        return [productId, `${productId} ${numberOf(config)} ${configBasis} ${dueKey}`];
      }),
    );
    const codes = codesOn(carrier.naicCodes, day);
    const saleKey = JSON.stringify([day < today, stateCode, codes, company?.naicCode, company?.name]);
    const remember =
      (productId: string | null): JudgmentOf<One> =>
      (party, judge) =>
        valueByKey(judgments, [partyKey(party), productKeys.get(productId ?? ''), saleKey].join('#'), judge);
    const partyKeys = [agency === undefined ? '' : partyKey(agency), ...sellers.map(partyKey)];
    const key = [named, partyKeys, [...productKeys.values()], saleKey].join('#');
    return valueByKey(answers, key, () => decidePolicy(question, remember));
  };
}
