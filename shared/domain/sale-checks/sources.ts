import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { derivedObjectId } from '../../platform/data/object-id.ts';
import { parseStored } from '../../platform/data/stored.ts';
import type { StoredConfigVersion } from '../compliance/stored.ts';
import { type ClassKindVersion, classKinds } from '../decision/classes.ts';
import { complianceConfig, linesRequired } from '../decision/compliance-config.ts';
import { naicCode } from '../identifiers/naic-code.ts';
import { npn } from '../identifiers/npn.ts';
import { appointment } from '../registry/appointment.ts';
import { license, lineOfAuthority } from '../registry/license.ts';
import { amendableFields } from '../registry/regulatory-action.ts';
import type { StoredItem } from '../registry-records/present-items.ts';
import {
  actionFact,
  appointmentFact,
  closing,
  kindOf,
  licenseFact,
  recorders,
  saleFact,
  unreadFact,
} from '../registry-records/stored-facts.ts';

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

export type FactSource = z.output<typeof factSource>;

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

export type ClassKindSource = z.output<typeof classKindSource>;

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
