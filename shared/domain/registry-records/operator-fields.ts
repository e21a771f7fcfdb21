import * as z from 'zod/mini';
import { fields, later, strictObject } from '#platform/contract/object.ts';
import { isoDate, textUpTo } from '#platform/contract/primitives.ts';
import { appointment, license, lineOfAuthority, regulatoryAction } from '../registry/resources.ts';

// The fields of the registry's records that operators give, in an import or to the simulated registry. The rest get
// the values of a record of which no more is known.

const text = later(() => z._default(z.nullable(z.string().check(z.maxLength(300))), null));
const date = later(() => z._default(z.nullable(isoDate), null));
/**
 * A status is part of an index key, as are the codes and names that identify a record. Nothing is known of a record without one.
 */
const status = later(() => textUpTo(100));

const isNamed = () =>
  z.refine<{ readonly code?: string | null | undefined; readonly name?: string | undefined }>(
    ({ code, name }) => Boolean(code ?? '') || Boolean(name ?? ''),
    { error: 'must have a code or a name' },
  );

/** The fields of a line of authority other than its code and its name. */
export const lineFields = fields(() => ({
  status: z._default(status, 'active'),
  issueDate: date,
  statusDate: date,
  statusReason: text,
  ceCompliance: z._default(lineOfAuthority.shape.ceCompliance, null),
  ceCreditsNeeded: z._default(lineOfAuthority.shape.ceCreditsNeeded, null),
  ceRenewalDate: date,
}));

/** A line of authority; its name defaults to that of its code. Where only the name is known, the code is ''. */
const operatorLine = later(() =>
  z.pipe(
    strictObject(
      () => ({
        code: z.optional(z.nullable(z.string().check(z.maxLength(50)))),
        name: z.optional(z.string().check(z.maxLength(300))),
        ...lineFields.shape,
      }),
      isNamed(),
    ),
    z.transform((line) => ({ ...line, code: line.code ?? '', name: line.name ?? line.code ?? '' })),
  ),
);

/** A license, without its holder. */
export const licenseFields = fields(() => ({
  stateCode: license.shape.stateCode,
  licenseNumber: license.shape.licenseNumber,
  licenseClassCode: text,
  licenseClassName: text,
  status,
  // A license of which nobody says that it is of the home state is no proof that its holder is licensed there.
  residencyStatus: z._default(license.shape.residencyStatus, 'non-resident'),
  issueDate: date,
  nextRenewalDate: date,
  expirationDate: date,
  statusReason: text,
  statusDate: date,
  linesOfAuthority: z._default(z.array(operatorLine), []),
}));

/** An appointment, without its holder. */
export const appointmentFields = fields(() => ({
  stateCode: appointment.shape.stateCode,
  carrierName: text,
  ein: text,
  companyCode: text,
  lineOfAuthorityName: text,
  lineOfAuthorityCode: text,
  status,
  terminationReason: text,
  statusChangeDate: date,
  renewalDate: date,
  appointerStateCoId: text,
  countyName: text,
  effectiveDate: date,
  countyCode: text,
}));

/** A regulatory action, without the license holder. */
export const regulatoryActionFields = fields(() => ({
  stateCode: regulatoryAction.shape.stateCode,
  actionId: regulatoryAction.shape.actionId,
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z._default(regulatoryAction.shape.penaltyFineForfeitureInUSD, null),
  lengthOfOrderInDays: z._default(regulatoryAction.shape.lengthOfOrderInDays, null),
}));
