// What sale checks are answered from.

import * as z from 'zod/mini';
import { fields, object } from '#platform/contract/object.ts';
import { objectId } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { agentAuthority } from '../agents/resource.ts';
import { association } from '../associations/resource.ts';
import type { CarrierOfNow } from '../compliance/store.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import type { ConfigVersion } from '../decision/compliance-config.ts';
import type { Coverage } from '../decision/coverage.ts';
import { isAgainst, type Reason } from '../decision/reasons.ts';
import type { License } from '../registry/resources.ts';
import type { SaleCheck } from './resource.ts';

/** An association of a party as it was; what a seller's other ones are is not asked. */
export const associationSource = object(() => ({
  downstreamEntityAssociationId: objectId,
  status: z.nullable(association.shape.status),
  isNpnRequired: z.nullable(z.boolean()),
}));

/** The carrier's own word about a party, which has no history. */
export const ownWord = fields(() => ({
  authority: z.nullable(z.array(agentAuthority)),
  isArchived: z.nullable(z.boolean()),
  associations: z.array(associationSource),
}));

export type OwnWord = z.output<z.ZodMiniObject<typeof ownWord.shape>>;

/** Nobody to say something of. */
export const noWord: OwnWord = { authority: null, isArchived: null, associations: [] };

/** Parties and product of a check, as far as they are on record. */
export interface ResolvedNames extends Pick<SaleCheck, 'seller' | 'agency' | 'product' | 'company'> {
  /** Reasons that follow from the names alone: unknown, ambiguous, or not associated. */
  readonly found: readonly Reason[];
  readonly ofToday: { readonly seller: OwnWord; readonly agency: OwnWord };
}

export interface ResolvedCheck extends ResolvedNames, Pick<SaleCheck, 'reference' | 'date'> {
  readonly stateCode: License['stateCode'];
  /** Whether neither a day nor a moment was asked for. */
  readonly isPresent: boolean;
}

/** Inputs that decide a check whose seller and product are on record. */
export interface DecisionInputs {
  /** ISO time in UTC of the knowledge that counts. */
  readonly knownAt: string;
  /** The day on which it is asked. */
  readonly today: CalendarDate;
  readonly carrier: CarrierIdentity & Pick<CarrierOfNow, 'verifiedWithinDays'>;
  /** Coverage of an NPN in a state and at home; none for an agency without one. */
  readonly coverageOf: (npn: string | null, stateCode: string) => Coverage;
  readonly configsOf: (productId: string) => readonly ConfigVersion[];
}

/** Whether checks are to be decided at all. */
export const isDecided = ({ seller, product, found }: ResolvedNames): boolean =>
  seller !== null && product !== null && found.every(isAgainst);

/** The holders that checks are decided by. */
export const holdersOf = (checks: readonly (ResolvedNames & Pick<ResolvedCheck, 'stateCode'>)[]) =>
  checks
    .filter(isDecided)
    .flatMap(({ seller, agency, stateCode }) =>
      [seller, agency].map((holder) => ({ npn: holder?.npn ?? null, stateCode })),
    );
