// The registry that answers with reports in XML: its reports as they are read, and its client.
import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import * as z from 'zod/mini';
import { retry } from '#platform/aws/calls.ts';
import type { SecretText } from '#platform/config/secret-text.ts';
import { jsonText } from '#platform/data/json.ts';
import { comparableNpn } from '../identifiers/identifiers.ts';
import { reportOf, type WrittenReport } from './read-rows.ts';
import { type EntityReport, type Registry, RegistryUnavailable, type WrittenRow } from './registry.ts';
import { statusKindOf } from './words.ts';

const attempts = 3;

/**
 * Milliseconds to wait for the registry: for one attempt, with its body, and for a call in all. A call must fit into a request's 29
 * seconds, and two into the worker's minute.
 */
const defaultTimeouts = { attemptMs: 5_000, callMs: 12_000 };

/** A failed attempt that is worth repeating: the network's fault, 429 and 5xx, or a refused PIN that may have been replaced. */
class AttemptFailed extends RegistryUnavailable {}

const accessData = z.object({ customerNumber: z.string(), pin: z.string() });

/** Why no connection was made: its message has the address, and so the PIN. */
const connectionFault = z.object({ code: z.optional(z.string()) });

/** The body of one answer. @throws RegistryUnavailable. */
async function bodyFrom(url: URL, signal: AbortSignal): Promise<Buffer> {
  let response: Response;
  let body: Buffer;
  try {
    response = await fetch(url, { redirect: 'error', signal });
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    const { name, cause } = error instanceof Error ? error : new Error();
    const { code = name } = z.safeParse(connectionFault, cause).data ?? {};
    throw new AttemptFailed(`The registry did not answer: ${code}.`);
  }
  const { ok, status } = response;
  if (ok) return body;
  const isRepeated = [401, 403, 429].includes(status) || status >= 500;
  throw new (isRepeated ? AttemptFailed : RegistryUnavailable)(`The registry responded with ${status}.`);
}

/**
 * The registry by its reports in XML: one request for one NPN. The address of a request has the PIN, so nothing of it is in any
 * error.
 * @param access JSON of `customerNumber` and `pin`. The PIN changes every 90 days.
 */
export function createReportRegistry({
  address,
  access,
  timeouts = defaultTimeouts,
}: {
  readonly address: string;
  readonly access: SecretText;
  readonly timeouts?: typeof defaultTimeouts;
}): Registry {
  async function addressOf(npn: string): Promise<URL> {
    // An operator may have replaced the PIN since.
    access.forget();
    const secret = await access.current().catch((cause: unknown) => {
      throw new RegistryUnavailable('The key of the registry could not be read.', { cause });
    });
    const { success, data } = z.safeParse(z.pipe(jsonText, accessData), secret);
    if (!success) {
      throw new RegistryUnavailable('The secret of the registry has no customerNumber and pin as JSON.');
    }
    const url = new URL(`${address.replace(/\/+$/, '')}/entityinfo_xml.cgi`);
    url.search = new URLSearchParams({
      customer_number: data.customerNumber,
      pin_number: data.pin,
      report_type: '1',
      id_entity: npn,
    }).toString();
    return url;
  }

  return {
    async fetch(npn) {
      const end = AbortSignal.timeout(timeouts.callMs);
      const ask = async (): Promise<Buffer> =>
        bodyFrom(await addressOf(npn), AbortSignal.any([end, AbortSignal.timeout(timeouts.attemptMs)]));
      const isRetryable = (error: unknown): boolean => error instanceof AttemptFailed && !end.aborted;
      const report = writtenReport(decode(await retry(ask, { attempts, isRetryable })));
      if (report !== undefined && report.npn !== null && comparableNpn(report.npn) !== comparableNpn(npn))
        throw new RegistryUnavailable('The registry returned the report of another NPN.');
      return report && reportOf(report);
    },
  };
}

// The registry's report of one NPN, in XML, as rows with the names of our fields. Only what is named here is read: numbers of
// social security and dates of birth stand beside it.

/** The elements on a path, in their order. */
const elementsOf = (parent: XmlElement, ...path: readonly string[]): XmlElement[] =>
  path.reduce<XmlElement[]>(
    (parents, name) =>
      parents.flatMap(({ children }) =>
        children.filter(
          (element): element is XmlElement => element instanceof XmlElement && element.name === name,
        ),
      ),
    [parent],
  );

/** The elements of a name, wherever they stand within another one; what is within them is theirs. */
function everyElement(parent: XmlElement, name: string, found: XmlElement[] = []): XmlElement[] {
  for (const child of parent.children) {
    if (!(child instanceof XmlElement)) continue;
    if (child.name === name) found.push(child);
    else everyElement(child, name, found);
  }
  return found;
}

/** Text of an element; null for an empty or an absent one. */
function textOf(element: XmlElement | undefined): string | null {
  // Of the tens of thousands almost each has one text alone: `text` would make a list for it.
  const onlyChild = element?.children.length === 1 ? element.children[0] : undefined;
  return (onlyChild instanceof XmlText ? onlyChild.text : element?.text)?.trim() || null;
}

/** Whether an element says nothing. */
const isEmpty = ({ children }: XmlElement): boolean =>
  children.every((element) =>
    element instanceof XmlElement ? isEmpty(element) : !(element instanceof XmlText && element.text.trim()),
  );

/** Dates that mean that there is none. */
const noDates = new Set(['12/31/9999', '12/31/2999', '12/31/2099']);

const fullDate = /^\d\d\/\d\d\/\d{4}$/;

/** A date as ISO 8601; one that is written in another way stays as it is, and cannot be read. */
function date(text: string): string | null {
  if (noDates.has(text)) return null;
  const paddedDate = fullDate.test(text) ? text : text.replace(/\b\d(?=\/)/g, '0$&');
  return fullDate.test(paddedDate)
    ? `${paddedDate.slice(6)}-${paddedDate.slice(0, 2)}-${paddedDate.slice(3, 5)}`
    : text;
}

/** A number; a text that is none stays as it is, and cannot be read. */
function number(text: string): number | string {
  const plain = text.replace(/^\$|,(?=\d{3})/g, '');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : text;
}

interface Fields {
  /** The field that an element is, and how it is read; as it is written, where that is left out. */
  readonly ofElements: ReadonlyMap<string, readonly [field: string, read?: (text: string) => unknown]>;
  /** A row that says nothing: to fill it takes half the time that it takes to add each field of a report's thousands of rows. */
  readonly blank: WrittenRow;
}

function fieldsOf(
  elements: Readonly<Record<string, readonly [string, ((text: string) => unknown)?]>>,
): Fields {
  const ofElements = new Map(Object.entries(elements));
  const names = Array.from(ofElements.values(), ([name]) => name);
  return { ofElements, blank: Object.fromEntries(['stateCode', ...names].map((name) => [name, null])) };
}

const lineFields = fieldsOf({
  LOA_CODE: ['code'],
  LOA: ['name'],
  STATUS: ['status'],
  AUTHORITY_ISSUE_DATE: ['issueDate', date],
  STATUS_REASON_DATE: ['statusDate', date],
  STATUS_REASON: ['statusReason'],
  CE_COMPLIANCE: ['ceCompliance', (text) => text.toLowerCase().replace(/^n\/a$/, 'not applicable')],
  CE_CREDITS_NEEDED: ['ceCreditsNeeded', number],
  CE_RENEWAL_DATE: ['ceRenewalDate', date],
});

/** The words of the registry for whether a license is active, in ours. */
const statusOf: Readonly<Record<string, string>> = { YES: 'active', NO: 'inactive' };

const licenseFields = fieldsOf({
  LICENSE_NUM: ['licenseNumber'],
  LICENSE_CLASS_CODE: ['licenseClassCode'],
  LICENSE_CLASS: ['licenseClassName'],
  ACTIVE: ['status', (text) => statusOf[text.toUpperCase()] ?? text],
  RESIDENCY_STATUS: ['residencyStatus'],
  DATE_ISSUE_LICENSE_ORIG: ['issueDate', date],
  DATE_EXPIRE_LICENSE: ['expirationDate', date],
});

const appointmentFields = fieldsOf({
  COMPANY_NAME: ['carrierName'],
  FEIN: ['ein'],
  COCODE: ['companyCode'],
  LINE_OF_AUTHORITY: ['lineOfAuthorityName'],
  LOA_CODE: ['lineOfAuthorityCode'],
  STATUS: ['status'],
  TERMINATION_REASON: ['terminationReason'],
  STATUS_REASON_DATE: ['statusChangeDate', date],
  // So spelled.
  APPONT_RENEWAL_DATE: ['renewalDate', date],
  COUNTY_CODE: ['countyCode'],
});

const actionFields = fieldsOf({
  ACTION_ID: ['actionId'],
  ORIGIN_OF_ACTION: ['originOfAction'],
  REASON_FOR_ACTION: ['reasonForAction'],
  DISPOSITION: ['disposition'],
  DATE_OF_ACTION: ['dateOfAction', date],
  EFFECTIVE_DATE: ['effectiveDate', date],
  ENTER_DATE: ['enterDate', date],
  FILE_REF: ['fileRef'],
  PENALTY_FINE_FORFEITURE: ['penaltyFineForfeitureInUSD', number],
  LENGTH_OF_ORDER: ['lengthOfOrderInDays', number],
});

/** A row with what elements say of some fields: two that say different things of one are no value, and an empty one says null. */
function rowOf(
  elements: XmlElement['children'],
  { ofElements, blank }: Fields,
  stateCode: string | null = null,
): WrittenRow {
  const row: Record<string, unknown> = { ...blank, stateCode };
  for (const element of elements) {
    if (!(element instanceof XmlElement)) continue;
    const field = ofElements.get(element.name);
    if (field === undefined) continue;
    const [name, read] = field;
    const text = textOf(element);
    const value = text === null || read === undefined ? text : read(text);
    const before = row[name] ?? value;
    row[name] = value === null || value === before ? before : [before, value];
  }
  return row;
}

/** Value of a field where it is the same in all lines; null where it is not, or there are no lines. */
function common(lines: readonly WrittenRow[], field: string): unknown {
  const [first, ...otherValues] = new Set(lines.map((line) => line[field] ?? null));
  return otherValues.length === 0 ? first : null;
}

function licenseOf(stateCode: string | null, license: XmlElement): WrittenRow {
  const lines = elementsOf(license, 'DETAILS', 'DETAIL')
    .filter((detail) => !isEmpty(detail))
    .map(({ children }) => rowOf(children, lineFields));
  const row = rowOf(license.children, licenseFields, stateCode);
  // A license has neither of its own: they are those of its lines, where all of them ended alike.
  const isAnyLive = [row, ...lines].some(
    ({ status }) => typeof status === 'string' && statusKindOf(status, 'license') === 'live',
  );
  const fieldOfEnd = (field: string) => (isAnyLive ? null : common(lines, field));
  return {
    ...row,
    statusReason: fieldOfEnd('statusReason'),
    statusDate: fieldOfEnd('statusDate'),
    linesOfAuthority: lines,
  };
}

/**
 * The elements of each action of a state: each action is within an element of its own, or they follow one another, each beginning
 * with the element that the first one begins with.
 */
function actionsIn(state: XmlElement): XmlElement['children'][] {
  const elements = state.children.filter(
    (element): element is XmlElement => element instanceof XmlElement && !isEmpty(element),
  );
  const within = elements.filter(({ children }) => children.some((child) => child instanceof XmlElement));
  const following = elements.filter(({ name }) => actionFields.ofElements.has(name));
  const actions: XmlElement[][] = [];
  for (const element of following) {
    const lastAction = actions.at(-1);
    const has = (field: string): boolean => lastAction?.some(({ name }) => name === field) === true;
    // What an action with a number says twice is its own, and cannot be read.
    const isNext =
      element.name === following[0]?.name ||
      (has(element.name) && (element.name === 'ACTION_ID' || !has('ACTION_ID')));
    if (isNext || lastAction === undefined) actions.push([element]);
    else lastAction.push(element);
  }
  return [...within.map(({ children }) => children), ...actions];
}

/** The states of elements, each with its code. */
const statesOf = (parents: readonly XmlElement[]) =>
  parents
    .flatMap((parent) => elementsOf(parent, 'STATE'))
    .map((state) => ({ state, code: state.attributes['name'] ?? null }));

/** The actions of elements, by state; something that stands in no state is a row that cannot be read. */
const actionRowsOf = (parents: readonly XmlElement[]): WrittenRow[] =>
  parents.flatMap((parent) => [
    ...statesOf([parent]).flatMap(({ state, code }) =>
      actionsIn(state).map((elements) => rowOf(elements, actionFields, code)),
    ),
    ...parent.children.flatMap((child) =>
      child instanceof XmlElement && child.name !== 'STATE' && !isEmpty(child) ? { stateCode: null } : [],
    ),
  ]);

/** A person, or a firm, of which two elements are known. */
const producerElements = ['INDIVIDUAL', 'FIRM', 'AGENCY'] as const;

const nameElements = ['NAME_FIRST', 'NAME_MIDDLE', 'NAME_LAST', 'NAME_SUFFIX', 'NAME_COMPANY', 'NAME'];

const producerWords = '(?:npn|producer|entity|record|individual|firm|agency|match|data)';
/** Words of the registry for an NPN that it does not find. */
const notFound = new RegExp(
  `\\b${producerWords}\\b.*\\b(?:not|cannot) (?:be )?(?:found|exist)|\\bno (?:matching )?${producerWords}`,
  'i',
);

/** The error that a report has in its body instead of a producer. */
function errorOf(description: string): undefined {
  const isAccess = /\bpin\b|password|customer|subscriber/i.test(description);
  const isFault = /connection|maintenance|unavailable/i.test(description);
  if (notFound.test(description) && !isAccess && !isFault) return undefined;
  // The description may have what was sent, so it is repeated nowhere.
  const failure = isAccess ? 'refused the access' : 'answered with an error';
  throw new RegistryUnavailable(`The registry ${failure}.`);
}

function parseRoot(report: string): XmlElement {
  try {
    const { root } = parseXml(report);
    if (root !== null) return root;
  } catch {
    // Its message has a part of the text.
  }
  throw new RegistryUnavailable('The registry returned something that is not XML.');
}

/**
 * Reads the text of reports in the encoding that its declaration says, else in UTF-8; it raises an error for bytes that are not in it.
 * @throws RangeError for an unknown one.
 */
export function reportDecoder(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const beginning = Buffer.from(bytes).toString('latin1', 0, 200);
  const [, encoding = 'utf-8'] = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(beginning) ?? [];
  return new TextDecoder(encoding, { fatal: true });
}

function decode(body: Buffer): string {
  try {
    return reportDecoder(body).decode(body);
  } catch {
    throw new RegistryUnavailable(
      'The registry returned a report that is not in the encoding that it names.',
    );
  }
}

/**
 * Reads a report, row by row: one that cannot be read stops no other, and elements that are not known are left out.
 * @returns undefined where the registry does not find the NPN.
 * @throws RegistryUnavailable as `writtenReport` does.
 */
export function readReport(report: string): EntityReport | undefined {
  const rows = writtenReport(report);
  return rows && reportOf(rows);
}

/**
 * The rows of a report, with the names of our fields.
 * @returns undefined where the registry does not find the NPN.
 * @throws RegistryUnavailable for an error of the registry, and for what is no report, or one without its licenses: it must not
 *   look as if there were none.
 */
export function writtenReport(report: string): WrittenReport | undefined {
  const root = parseRoot(report);
  if (root.name !== 'PDB')
    throw new RegistryUnavailable('The registry returned something that is no report.');
  const description = textOf(elementsOf(root, 'ERROR', 'DESCRIPTION')[0]);
  if (description !== null) return errorOf(description);
  const [producer] = elementsOf(root, 'PRODUCER');
  const [holderElement] = producerElements.flatMap((name) => elementsOf(root, 'PRODUCER', name));
  /** Part of the person or the firm, or beside it. */
  const licensing = [holderElement, producer].flatMap((element) =>
    element === undefined ? [] : elementsOf(element, 'PRODUCER_LICENSING'),
  );
  const informations = licensing.flatMap((element) => elementsOf(element, 'LICENSE_INFORMATION'));
  if (holderElement === undefined || informations.length === 0) {
    throw new RegistryUnavailable('The registry returned a report without licenses.');
  }
  const states = statesOf(informations);
  const [biographic = holderElement] = elementsOf(holderElement, 'ENTITY_BIOGRAPHIC', 'BIOGRAPHIC');
  return {
    npn: textOf(elementsOf(biographic, 'NPN')[0]),
    kind: holderElement.name === 'INDIVIDUAL' ? 'individual' : 'firm',
    name: nameElements.flatMap((name) => textOf(elementsOf(biographic, name)[0]) ?? []).join(' '),
    licenses: states.flatMap(({ state, code }) =>
      elementsOf(state, 'LICENSE').map((element) => licenseOf(code, element)),
    ),
    appointments: states.flatMap(({ state, code }) =>
      [state, ...elementsOf(state, 'LICENSE')]
        .flatMap((holder) => elementsOf(holder, 'APPOINTMENT_INFORMATION', 'APPOINTMENT'))
        .map(({ children }) => rowOf(children, appointmentFields, code)),
    ),
    // An order counts wherever it stands; most reports have none, and that is seen at once.
    regulatoryActions: report.includes('<REGULATORY_ACTION')
      ? actionRowsOf(everyElement(root, 'REGULATORY_ACTION'))
      : [],
  };
}
