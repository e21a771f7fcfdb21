import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { Answer, Asked, PartyFacts } from './decide.ts';
import type { Reason } from './reasons.ts';

/** What the carrier itself says of a party now. What is absent is not asked. */
export interface OwnWord {
  readonly isArchived?: boolean | undefined;
  /** The agent's `authority`, of all products. */
  readonly authority?:
    | readonly { readonly upstreamEntityProductId: string; readonly approvedStates: readonly string[] }[]
    | undefined;
  /** Of an agency: whether the association with it is `active`. */
  readonly isAssociationActive?: boolean | undefined;
}

/** Somebody who sells, or the agency for which somebody sells. */
export interface SaleParty extends PartyFacts {
  /** What a message calls them; undefined where there is but one of their kind. */
  readonly name?: string | undefined;
  /** Absent where the carrier's own word does not count. */
  readonly ownWord?: OwnWord | undefined;
  /**
   * When the registry or complete imports last confirmed all licenses and appointments of the state: ISO time in UTC. Null:
   * never. Absent where their age does not count.
   */
  readonly verifiedAt?: string | null | undefined;
}

/** May these, for this agency, sell this product here on this day, as known at this moment? */
export interface SaleQuestion<One extends SaleParty = SaleParty> extends Asked {
  /** Undefined where there is no agency that could be judged. */
  readonly agency: One | undefined;
  readonly sellers: readonly One[];
  /** Null where the product is not known or not one of the carrier's. */
  readonly productId: string | null;
  /** The day on which it is asked: the carrier's own word counts from it on. */
  readonly today: CalendarDate;
  /** Days after which what was verified is old; null or absent where it never is. */
  readonly verifiedWithinDays?: number | null | undefined;
  /** Reasons that those who resolved the question have found (`not_associated`, `seller_unknown`, `seller_not_named` …). */
  readonly found?: readonly Reason[] | undefined;
}

export interface SaleAnswer<One extends SaleParty = SaleParty> extends Omit<Answer, 'nextChange'> {
  readonly agency: (Answer & { readonly of: One }) | undefined;
  readonly sellers: readonly (Answer & { readonly of: One })[];
  /** The last day of the same verdict by what is known now; null where no change of it is known. */
  readonly goodUntil: CalendarDate | null;
  /** The oldest of the parties of whom something is asked; null where one was never verified. */
  readonly verifiedAt: string | null;
}

/** The answer for a sale: who sells and the agency are judged together (OpenAPI, "May she sell?"). */
export declare function decideSale<One extends SaleParty>(question: SaleQuestion<One>): SaleAnswer<One>;
