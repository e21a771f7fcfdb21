import { codesOn } from './carrier.ts';
import type { ConfigVersion } from './compliance-config.ts';
import { firstDayAlike } from './coverage.ts';
import { type Answer, requirementOf } from './decide.ts';
import { type Reason, reasonOf } from './reasons.ts';
import {
  decideSale,
  type Judged,
  type JudgedOf,
  type SaleAnswer,
  type SaleParty,
  type SaleQuestion,
  together,
} from './sale.ts';

/** May these parties sell what a policy is of, in its state, on a day, as known at a moment? */
interface PolicyQuestion<One extends SaleParty = SaleParty>
  extends Omit<SaleQuestion<One>, 'configs' | 'productId' | 'found' | 'agency'> {
  /** Undefined where it is not known. */
  readonly agency: One | undefined;
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
  remember?: (productId: string | null) => JudgedOf<One>,
): PolicyAnswer<One> {
  const whose = { party: 'seller', stateCode: question.stateCode } as const;
  const foundReasons: Reason[] = [];
  if (named === 'unknown') foundReasons.push(reasonOf(whose, 'license', { code: 'seller_unknown' }));
  if (question.agency === undefined) {
    foundReasons.push(reasonOf({ ...whose, party: 'agency' }, 'license', { code: 'agency_unknown' }));
  }
  if (named === 'nobody' && policiesNameAgents) {
    foundReasons.push(reasonOf(whose, 'license', { code: 'seller_not_named' }));
  }
  const ofProduct = (productId: string | null, configs: readonly ConfigVersion[]): SaleAnswer<One> =>
    decideSale({ ...question, productId, configs, found: foundReasons }, remember?.(productId));
  const answers =
    products.length === 0
      ? [ofProduct(null, [])]
      : products.map(({ productId, configs }) => ofProduct(productId, configs));
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
  const ofParties = new Map<string, Judged>();
  const numberOf = (one: object): number => {
    const number = numbers.get(one) ?? numbers.size;
    if (number === numbers.size) numbers.set(one, number);
    return number;
  };
  return (question) => {
    const { stateCode, day, today, saleSeenOn, carrier, company, agency, sellers, named, products } =
      question;
    const partyKey = (party: One): string =>
      `${numberOf(party)} ${firstDayAlike(party.coverage, stateCode, day)}`;
    const productKey = ({ productId, configs }: (typeof products)[number]): string => {
      const { config, configBasis, rule } = requirementOf(question, configs);
      // When an appointment is due depends on the day itself.
      const dueKey = rule?.appointment === 'on binding' ? `${day} ${saleSeenOn}` : '';
      return `${productId} ${numberOf(config)} ${configBasis} ${dueKey}`;
    };
    const productKeys = new Map(products.map((product) => [product.productId, productKey(product)]));
    const sale = JSON.stringify([
      day < today,
      stateCode,
      codesOn(carrier.naicCodes, day),
      company?.naicCode,
      company?.name,
    ]);
    const remember =
      (productId: string | null): JudgedOf<One> =>
      (party, judge) =>
        valueByKey(ofParties, `${partyKey(party)}#${productKeys.get(productId ?? '')}#${sale}`, judge);
    const parties = [agency === undefined ? '' : partyKey(agency), ...sellers.map(partyKey)];
    const key = [named, parties, [...productKeys.values()], sale].join('#');
    return valueByKey(answers, key, () => decidePolicy(question, remember));
  };
}

/** Finds the value of a key, or else makes it. */
function valueByKey<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
