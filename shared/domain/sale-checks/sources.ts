// What a sale check is answered from: how its sources are read, and how a receipt records them.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { lazily } from '../../platform/contract/lazily.ts';
import { object } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { derivedObjectId } from '../../platform/data/keys.ts';
import { parseStored } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { agentAuthority } from '../agents/resource.ts';
import type { StoredConfigVersion } from '../compliance/stored.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import { type ClassKindVersion, classKinds } from '../decision/classes.ts';
import { complianceConfig, linesRequired } from '../decision/compliance-config.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import { noFacts } from '../decision/facts.ts';
import { reasonKinds, reasonMatters } from '../decision/reasons.ts';
import { naicCode, npn } from '../identifiers/identifiers.ts';
import { amendableFields, appointment, license, lineOfAuthority } from '../registry/resources.ts';
import { factsOfHome } from '../registry-records/home.ts';
import type { StoredItem } from '../registry-records/present-items.ts';
import type { RecordedFacts } from '../registry-records/store.ts';
import {
  actionFact,
  appointmentFact,
  closing,
  factsAmong,
  isVisits,
  kindOf,
  licenseFact,
  recorders,
  saleFact,
  unreadFact,
  type Visits,
  verifiedAtOf,
} from '../registry-records/stored-facts.ts';
import { reason, saleCheck } from './resource.ts';

// What a receipt was made from, in the form that is hashed: exactly these fields. A receipt must have the same hashes in every
// release, so that another list of fields needs another number of the rules.

const lineSource = object(() => {
  const { code, name, status, issueDate, statusDate, statusReason } = lineOfAuthority.shape;
  const { ceCompliance, ceCreditsNeeded, ceRenewalDate } = lineOfAuthority.shape;
  return {
    code,
    name,
    status,
    issueDate,
    statusDate,
    statusReason,
    ceCompliance,
    ceCreditsNeeded,
    ceRenewalDate,
  };
});

/** A license as a fact states it. */
export const licenseSource = object(() => {
  const { licenseNumber, licenseClassCode, licenseClassName, residencyStatus } = license.shape;
  const { status, statusReason, statusDate } = license.shape;
  const { issueDate, nextRenewalDate, expirationDate } = license.shape;
  return {
    licenseNumber,
    licenseClassCode,
    licenseClassName,
    residencyStatus,
    status,
    statusReason,
    statusDate,
    issueDate,
    nextRenewalDate,
    expirationDate,
    linesOfAuthority: z.array(lineSource),
  };
});

/** A status change of an appointment as a fact states it. */
export const appointmentSource = object(() => {
  const { carrierName, ein, companyCode, lineOfAuthorityCode, lineOfAuthorityName } = appointment.shape;
  const { status, terminationReason, statusChangeDate, effectiveDate, renewalDate } = appointment.shape;
  const { countyName, countyCode } = appointment.shape;
  return {
    carrierName,
    ein,
    companyCode,
    lineOfAuthorityCode,
    lineOfAuthorityName,
    status,
    terminationReason,
    statusChangeDate,
    effectiveDate,
    renewalDate,
    countyName,
    countyCode,
  };
});

/** A regulatory action as a fact states it. */
export const actionSource = object(() => {
  const { disposition, dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays } = amendableFields.shape;
  return { disposition, dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays };
});

/** What was understood of a row that is set aside: of a license, or of an appointment. */
export const setAsideSource = object(() => ({
  ...z.pick(licenseSource, { licenseNumber: true, licenseClassCode: true, licenseClassName: true }).shape,
  licenseNumber: z.nullable(z.string()),
  isLive: z.boolean(),
  ...z.pick(appointmentSource, { companyCode: true, ein: true, carrierName: true }).shape,
}));

/** A sale as a fact of a party states it. */
export const soldSource = object(() => ({
  soldOn: z.iso.date(),
  linesOfAuthority: linesRequired(),
  carrierNaicCode: z.nullable(naicCode),
}));

/** Something that was recorded of a holder. */
export const factSource = object(() => ({
  id: objectId,
  npn,
  stateCode,
  kind: z.enum(['license', 'appointment', 'regulatory action', 'sale']),
  what: z.enum(['stated', 'left out', 'retracted', 'list complete', 'set aside']),
  key: z.nullable(z.string()),
  recordedBy: z.enum(recorders),
  commandId: z.string(),
  commandAt: timestamp,
  recordedAt: timestamp,
  validFrom: z.nullable(isoDate),
  licenses: z.optional(z.array(licenseSource)),
  appointments: z.optional(z.array(appointmentSource)),
  action: z.optional(actionSource),
  setAside: z.optional(setAsideSource),
  sale: z.optional(soldSource),
}));

type FactSource = z.output<typeof factSource>;

/** A version of a product's config. */
export const configSource = object(() => {
  const { productId, productName, productCode, carrierNaicCodes, states, otherStates, authority, validFrom } =
    complianceConfig.shape;
  return {
    id: objectId,
    productId,
    productName,
    productCode,
    carrierNaicCodes,
    states,
    otherStates,
    authority,
    validFrom,
    recordedAt: timestamp,
  };
});

export type ConfigSource = z.output<typeof configSource>;

export const kindOfClass = z.enum(classKinds);

/** What somebody said of a class of license. */
export const classKindSource = object(() => ({
  id: objectId,
  stateCode,
  classCode: z.nullable(z.string()),
  className: z.nullable(z.string()),
  kind: z.nullable(kindOfClass),
  isOwn: z.boolean(),
  recordedAt: timestamp,
}));

type ClassKindSource = z.output<typeof classKindSource>;

/** How a receipt names a source: the hash is SHA-256, in base64url, of its RFC 8785 form. */
export const withHash = <Source extends { readonly id: string }>(source: Source) => ({
  id: source.id,
  hash: createHash('sha256')
    .update(canonicalize(source) ?? '')
    .digest('base64url'),
});

/** A fact from its item. */
export function sourceOfFact(holderNpn: string, item: StoredItem): FactSource {
  const [pk, sk] = [String(item['pk']), String(item['sk'])];
  const common = { id: derivedObjectId(pk, sk), npn: holderNpn, recordedBy: item['by'] };
  const isOf = kindOf(sk);
  if (isOf === 'CLOSED') {
    const list = parseStored(closing, item);
    return z.parse(factSource, { ...list, ...common, what: 'list complete', key: null, validFrom: null });
  }
  if (isOf === 'UNREAD') {
    const fact = parseStored(unreadFact, item);
    return z.parse(factSource, {
      ...fact,
      ...common,
      what: 'set aside',
      key: null,
      validFrom: null,
      setAside: fact,
    });
  }
  if (isOf === 'ACTION') {
    const { actionId: key, ...fact } = parseStored(actionFact, item);
    return z.parse(factSource, { ...fact, ...common, key, kind: 'regulatory action', validFrom: null });
  }
  if (isOf === 'SALE') {
    const {
      transactionId: key,
      day: soldOn,
      lines,
      carrierNaicCode = null,
      ...fact
    } = parseStored(saleFact, item);
    const sale = fact.what === 'stated' ? { soldOn, linesOfAuthority: lines, carrierNaicCode } : undefined;
    return z.parse(factSource, { ...fact, ...common, key, kind: 'sale', sale, validFrom: null });
  }
  if (isOf === 'LICENSE') {
    const { rows, ...fact } = parseStored(licenseFact, item);
    const licenses = fact.what === 'stated' ? rows : undefined;
    return z.parse(factSource, { ...fact, ...common, kind: 'license', licenses });
  }
  const { rows, ...fact } = parseStored(appointmentFact, item);
  const appointments = fact.what === 'stated' ? rows : undefined;
  return z.parse(factSource, { ...fact, ...common, kind: 'appointment', appointments });
}

/** By what a receipt names a version of a config. */
export const configVersionId = ({
  productId,
  validFrom,
  recordedAt,
}: Pick<StoredConfigVersion, 'productId' | 'validFrom' | 'recordedAt'>): string =>
  derivedObjectId(productId, validFrom, recordedAt);

export const sourceOfConfig = (version: StoredConfigVersion): ConfigSource =>
  z.parse(configSource, { ...version, id: configVersionId(version) });

/** A version of what was said of a class is named by what it says, as there is no other with the same. */
export const sourceOfClassKind = (version: ClassKindVersion): ClassKindSource => {
  const { stateCode: state, classCode, className, isOwn, recordedAt } = version;
  const id = derivedObjectId(state, classCode ?? '', className ?? '', String(isOwn), recordedAt);
  return z.parse(classKindSource, { ...version, id });
};

/** A check with everything that it names, as far as it was found, and with what has no versions: a receipt keeps it. */
export const resolvedCheck = object(() => {
  const { reference, seller, agency, product, company } = saleCheck.shape;
  return {
    reference,
    seller,
    agency,
    product,
    company,
    stateCode,
    /** The day that is asked about. */
    date: z.iso.date(),
    /** Whether neither a day nor a moment was asked for. */
    isPresent: z.boolean(),
    /** Reasons that follow from the names alone: unknown, ambiguous, or not associated. */
    found: z.array(object(() => ({ ...reason.shape, kind: z.enum(reasonKinds), of: z.enum(reasonMatters) }))),
    /** What the carrier itself says of the seller and of the association, and whether the agency needs an NPN. */
    ofToday: object(() => ({
      isArchived: z.boolean(),
      /** Of the product. */
      authority: z.array(agentAuthority),
      isAssociationActive: z.boolean(),
      isNpnRequired: z.boolean(),
    })),
    /** When what is known of each in the state was last confirmed as a whole; null: never. */
    verifiedAt: object(() => ({ seller: z.nullable(timestamp), agency: z.nullable(timestamp) })),
  };
});

export type ResolvedCheck = z.output<typeof resolvedCheck>;

/** Who and what a check is about. */
export type Resolved = Omit<ResolvedCheck, 'reference' | 'stateCode' | 'date' | 'isPresent' | 'verifiedAt'>;

/** What decides a check whose seller and product were found. */
export interface DecisionInputs {
  /** ISO time in UTC of the knowledge that counts. */
  readonly knownAt: string;
  /** The day on which it is asked. */
  readonly today: CalendarDate;
  readonly carrier: CarrierIdentity;
  readonly verifiedWithinDays: number | null;
  /** What was said of classes of licenses. */
  readonly classKinds: readonly ClassKindVersion[];
  /** Of an NPN; nothing for an agency without one. */
  readonly coverageOf: (npn: string | null) => Coverage;
  readonly configsOf: (productId: string) => readonly StoredConfigVersion[];
}

/** What was recorded of a holder in some states. */
export interface HolderItems {
  readonly npn: string;
  readonly items: readonly StoredItem[];
  /** What visits of the registry say of it as a whole. */
  readonly visits: Visits;
}

/** Whether checks are to be decided at all. */
export const isDecided = ({ seller, product, found }: Resolved): boolean =>
  seller !== null && product !== null && found.every(({ kind }) => kind === 'against');

/** A holder who is asked about in a state. */
interface AskedHolder {
  readonly npn: string;
  readonly stateCode: ResolvedCheck['stateCode'];
}

/** The holders that checks are decided by. */
export const holdersOf = (checks: readonly (Resolved & Pick<ResolvedCheck, 'stateCode'>)[]): AskedHolder[] =>
  checks
    .filter(isDecided)
    .flatMap(({ seller, agency, stateCode: state }) =>
      [seller?.npn, agency?.npn].flatMap((npn) => (npn == null ? [] : [{ npn, stateCode: state }])),
    );

/**
 * Reads what was recorded of holders in the states that are asked about and at home: one query each, and one call more for a
 * hundred.
 */
export async function readHolders(
  recordedFacts: RecordedFacts,
  owner: string,
  asked: readonly AskedHolder[],
): Promise<HolderItems[]> {
  const ofNpn = Map.groupBy(asked, ({ npn }) => npn);
  const statesOf = new Map(
    Array.from(ofNpn, ([npn, all]) => [npn, new Set(all.map((one) => one.stateCode))]),
  );
  const read = await recordedFacts.itemsOfAll(owner, [...statesOf.keys()], (npn) => {
    const [state, ...others] = statesOf.get(npn) ?? [];
    return others.length === 0 ? state : undefined;
  });
  return Array.from(read, ([npn, items]) => {
    const states: ReadonlySet<unknown> = statesOf.get(npn) ?? new Set();
    const home = new Set(factsOfHome(items));
    const { visits } = factsAmong(items.filter(isVisits));
    return {
      npn,
      items: items.filter((item) => states.has(item['stateCode']) || home.has(item)),
      visits,
    };
  });
}

/** Gives checks when what is known of their parties was confirmed. */
export function verifyingBy(
  holders: readonly HolderItems[],
): <Check extends Omit<ResolvedCheck, 'verifiedAt'>>(
  check: Check,
) => Check & Pick<ResolvedCheck, 'verifiedAt'> {
  const visitsOf = new Map(holders.map(({ npn, visits }) => [npn, visits]));
  return (check) => {
    const verifiedAt = (npn: string | null | undefined): string | null => {
      const visits = visitsOf.get(npn ?? '');
      return visits === undefined ? null : verifiedAtOf(visits, check.stateCode);
    };
    return {
      ...check,
      verifiedAt: { seller: verifiedAt(check.seller?.npn), agency: verifiedAt(check.agency?.npn) },
    };
  };
}

/** What was said by a moment of the classes of licenses in the states of what is recorded. */
export function classKindsAmong<Version extends ClassKindVersion>(
  all: readonly Version[],
  holders: readonly HolderItems[],
  knownAt: string,
): Version[] {
  const states = new Set<unknown>(holders.flatMap(({ items }) => items.map(({ stateCode: of }) => of)));
  return all.filter(({ stateCode: of, recordedAt }) => states.has(of) && recordedAt <= knownAt);
}

/** The coverage of each holder, as known at a moment. */
export function coveragesOf(
  holders: readonly HolderItems[],
  knownAt: string,
  classKinds: readonly ClassKindVersion[],
): (npn: string | null) => Coverage {
  // One holder whose items break their schema fails no other.
  const known = new Map(
    holders.map(({ npn, items, visits: { notFound } }) => [
      npn,
      lazily(() => coverageOf({ ...factsAmong(items), notFound }, knownAt, classKinds)),
    ]),
  );
  const nothing = coverageOf(noFacts, knownAt, classKinds);
  return (npn) => known.get(npn ?? '')?.() ?? nothing;
}
