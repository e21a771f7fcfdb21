import type { ConfigVersion } from './configs.ts';
import type { SaleAnswer, SaleParty, SaleQuestion } from './sale.ts';

/** May these parties sell what a policy is of, in its state, on a day, as known at a moment? */
export interface PolicyQuestion<One extends SaleParty = SaleParty>
  extends Omit<SaleQuestion<One>, 'configs' | 'productId' | 'found' | 'agency'> {
  readonly agency: One;
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
  extends Omit<SaleAnswer<One>, 'goodUntil' | 'verifiedAt'> {
  /** Null where the verdict is unknown. */
  readonly complianceStatus: 'COMPLIANT' | 'NOT_COMPLIANT' | null;
}

/** The answer for a policy: the agency and everybody who sold it are judged (OpenAPI, "How compliance is decided"). */
export declare function decidePolicy<One extends SaleParty>(question: PolicyQuestion<One>): PolicyAnswer<One>;
