import { isDeepStrictEqual } from '#platform/data/json.ts';
import { compare } from '#platform/data/keys.ts';
import type { Appointment, License, RegulatoryAction } from '../registry/resources.ts';

/** A license as the decision reads it; dates are ISO 8601, of which the written calendar date counts. */
export type LicenseRow = Pick<
  License,
  | 'stateCode'
  | 'licenseNumber'
  | 'licenseClassCode'
  | 'licenseClassName'
  | 'status'
  | 'statusReason'
  | 'statusDate'
  | 'residencyStatus'
  | 'issueDate'
  | 'nextRenewalDate'
  | 'expirationDate'
> & { readonly linesOfAuthority: readonly LineRow[] };

/** A line of authority that a license carries; one of which only the name is known has the code ''. */
export type LineRow = License['linesOfAuthority'][number];

/** A status change of an appointment as the decision reads it. */
export type AppointmentRow = Pick<
  Appointment,
  | 'stateCode'
  | 'carrierName'
  | 'ein'
  | 'companyCode'
  | 'lineOfAuthorityName'
  | 'lineOfAuthorityCode'
  | 'status'
  | 'terminationReason'
  | 'statusChangeDate'
  | 'renewalDate'
  | 'countyName'
  | 'countyCode'
  | 'effectiveDate'
>;

/** A regulatory action as the decision reads it. */
export type ActionRow = Pick<
  RegulatoryAction,
  | 'stateCode'
  | 'actionId'
  | 'disposition'
  | 'dateOfAction'
  | 'effectiveDate'
  | 'enterDate'
  | 'lengthOfOrderInDays'
>;

/** Members of our own in a record, which no source states. */
const ownMembers: ReadonlySet<string> = new Set([
  'registryDataSubscriptionId',
  'npn',
  'updatedAt',
  'createdAt',
  '_id',
]);

/** Members of a row that a source states. */
const statedMembers = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ownMembers.has(name)));

/** Whether two rows state the same, whatever is our own in them. */
export const isSameRow = (row: object, otherRow: object): boolean =>
  isDeepStrictEqual(statedMembers(row), statedMembers(otherRow));

/** Each row once. */
export const distinctRows = <Row extends object>(rows: readonly Row[]): Row[] => {
  const rowsByContent = new Map<string, Row>();
  for (const row of rows) {
    const content = contentOf(row);
    if (!rowsByContent.has(content)) rowsByContent.set(content, row);
  }
  return [...rowsByContent.values()];
};

/** A text that two rows share only if they state the same, whatever is our own in them. */
export const contentOf = (row: object): string => textOf(row, ownMembers);

const noMembers: ReadonlySet<string> = new Set();

/** A value as a text, whatever the order of members, and of lines in a list. */
function textOf(value: unknown, omittedNames = noMembers): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value))
    return `[${value
      .map((one) => textOf(one))
      .sort()
      .join()}]`;
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined && !omittedNames.has(name)) text += `"${name}":${textOf(member)},`;
  }
  return `{${text}}`;
}

/** Rows in an order that depends on what they state alone. */
export const inFixedOrder = <Row extends object>(rows: readonly Row[]): readonly Row[] =>
  rows.length < 2
    ? rows
    : rows
        .map((row) => ({ row, content: contentOf(row) }))
        .toSorted((one, otherRow) => compare(one.content, otherRow.content))
        .map(({ row }) => row);

/** Whether two lists of rows state the same, in any order. */
export const statesTheSame = (rows: readonly object[], otherRows: readonly object[]): boolean => {
  const contents = new Set(rows.map(contentOf));
  const otherContents = new Set(otherRows.map(contentOf));
  return contents.size === otherContents.size && [...contents].every((content) => otherContents.has(content));
};
