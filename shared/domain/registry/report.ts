import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { reportOf, type WrittenReport } from './read-rows.ts';
import { type EntityReport, RegistryUnavailable, type WrittenRow } from './registry.ts';

// The registry's report of one NPN, in XML, as rows with the names of our fields. Only what is named here is read: numbers of
// social security and dates of birth stand beside it.

/** The elements of a name in an element, in their order. */
const elementsOf = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  (parent?.children ?? []).filter((one): one is XmlElement => one instanceof XmlElement && one.name === name);

/** The first element of a name in an element. A report has tens of thousands, so that no list is made for each. */
function firstOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const one of parent?.children ?? []) if (one instanceof XmlElement && one.name === name) return one;
  return undefined;
}

/** The first element on a path. */
const elementAt = (parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce(firstOf, parent);

/** The first elements of each name in an element. */
type Children = ReadonlyMap<string, XmlElement>;

function childrenOf(parent: XmlElement | undefined): Children {
  const found = new Map<string, XmlElement>();
  for (const one of parent?.children ?? []) {
    if (one instanceof XmlElement && !found.has(one.name)) found.set(one.name, one);
  }
  return found;
}

/** What an element of a name says; null for an empty or an absent one. */
const textOf = (children: Children, name: string): string | null => {
  const text = children.get(name)?.text.trim() ?? '';
  return text === '' ? null : text;
};

/** Dates that mean that there is none. */
const noDates = new Set(['12/31/9999', '12/31/2999', '12/31/2099']);

/** A date as ISO 8601; one that is written in another way stays as it is, and cannot be read. */
function dateOf(parent: Children, name: string): string | null {
  const written = textOf(parent, name);
  if (written === null || noDates.has(written)) return null;
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(written) ?? [];
  return month === undefined || day === undefined
    ? written
    : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** A number; a text that is none stays as it is, and cannot be read. */
function numberOf(parent: Children, name: string): number | string | null {
  const written = textOf(parent, name);
  const plain = written?.replace(/^\$|,(?=\d{3})/g, '') ?? '';
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : written;
}

const ceWords: Readonly<Record<string, string>> = {
  EXEMPT: 'exempt',
  'IN COMPLIANCE': 'in compliance',
  'NOT IN COMPLIANCE': 'not in compliance',
  'N/A': 'not applicable',
};

const activeWords: Readonly<Record<string, string>> = { YES: 'active', NO: 'inactive' };

/** A word in ours; another one stays as it is. */
const inWords = (words: Readonly<Record<string, string>>, written: string | null): string | null =>
  written === null ? null : (words[written.toUpperCase()] ?? written);

const lineOf = (detail: Children) => ({
  code: textOf(detail, 'LOA_CODE'),
  name: textOf(detail, 'LOA'),
  status: textOf(detail, 'STATUS'),
  issueDate: dateOf(detail, 'AUTHORITY_ISSUE_DATE'),
  statusDate: dateOf(detail, 'STATUS_REASON_DATE'),
  statusReason: textOf(detail, 'STATUS_REASON'),
  ceCompliance: inWords(ceWords, textOf(detail, 'CE_COMPLIANCE')),
  ceCreditsNeeded: numberOf(detail, 'CE_CREDITS_NEEDED'),
  ceRenewalDate: dateOf(detail, 'CE_RENEWAL_DATE'),
});

/** What all of some say alike; null where they do not, or there are none. */
const common = (all: readonly (string | null)[]): string | null => {
  const [first = null, ...others] = [...new Set(all)];
  return others.length === 0 ? first : null;
};

function licenseOf(stateCode: string | null, element: XmlElement): WrittenRow {
  const license = childrenOf(element);
  const details = elementsOf(license.get('DETAILS'), 'DETAIL').filter(({ children }) =>
    children.some((one) => one instanceof XmlElement && one.text.trim() !== ''),
  );
  const lines = details.map((detail) => lineOf(childrenOf(detail)));
  const status = inWords(activeWords, textOf(license, 'ACTIVE'));
  const isActive = status === 'active';
  return {
    stateCode,
    licenseNumber: textOf(license, 'LICENSE_NUM'),
    licenseClassCode: textOf(license, 'LICENSE_CLASS_CODE'),
    licenseClassName: textOf(license, 'LICENSE_CLASS'),
    status,
    // A license has neither of its own: they are those of its lines, where all of them ended alike.
    statusReason: isActive ? null : common(lines.map((line) => line.statusReason)),
    statusDate: isActive ? null : common(lines.map((line) => line.statusDate)),
    residencyStatus: textOf(license, 'RESIDENCY_STATUS'),
    issueDate: dateOf(license, 'DATE_ISSUE_LICENSE_ORIG'),
    nextRenewalDate: null,
    expirationDate: dateOf(license, 'DATE_EXPIRE_LICENSE'),
    linesOfAuthority: lines,
  };
}

const appointmentOf = (stateCode: string | null, appointment: Children): WrittenRow => ({
  stateCode,
  carrierName: textOf(appointment, 'COMPANY_NAME'),
  ein: textOf(appointment, 'FEIN'),
  companyCode: textOf(appointment, 'COCODE'),
  lineOfAuthorityName: textOf(appointment, 'LINE_OF_AUTHORITY'),
  lineOfAuthorityCode: textOf(appointment, 'LOA_CODE'),
  status: textOf(appointment, 'STATUS'),
  terminationReason: textOf(appointment, 'TERMINATION_REASON'),
  statusChangeDate: dateOf(appointment, 'STATUS_REASON_DATE'),
  // So spelled.
  renewalDate: dateOf(appointment, 'APPONT_RENEWAL_DATE'),
  countyCode: textOf(appointment, 'COUNTY_CODE'),
});

/**
 * The actions of a state: each within an element of its own, or one after the other, where each begins with the element that the
 * first one begins with.
 */
function actionsIn(state: XmlElement): XmlElement[] {
  const elements = state.children.filter(
    (one) => one instanceof XmlElement && one.text.trim() !== '',
  ) as XmlElement[];
  const [first] = elements;
  const isWithin = (one: XmlElement): boolean => elementAt(one, 'ACTION_ID') !== undefined;
  if (first === undefined || elements.some(isWithin)) return elements.filter(isWithin);
  const actions: XmlElement[][] = [];
  for (const one of elements) {
    const known = actions.at(-1);
    const isNext = one.name === first.name || known?.some(({ name }) => name === one.name) === true;
    if (isNext || known === undefined) actions.push([one]);
    else known.push(one);
  }
  return actions.map((children) => new XmlElement(state.name, {}, children));
}

const actionOf = (stateCode: string | null, action: Children): WrittenRow => ({
  stateCode,
  actionId: textOf(action, 'ACTION_ID'),
  originOfAction: textOf(action, 'ORIGIN_OF_ACTION'),
  reasonForAction: textOf(action, 'REASON_FOR_ACTION'),
  disposition: textOf(action, 'DISPOSITION'),
  dateOfAction: dateOf(action, 'DATE_OF_ACTION'),
  effectiveDate: dateOf(action, 'EFFECTIVE_DATE'),
  enterDate: dateOf(action, 'ENTER_DATE'),
  fileRef: textOf(action, 'FILE_REF'),
  penaltyFineForfeitureInUSD: numberOf(action, 'PENALTY_FINE_FORFEITURE'),
  lengthOfOrderInDays: numberOf(action, 'LENGTH_OF_ORDER'),
});

/** The states of an element, each with its code. */
const statesOf = (parent: XmlElement | undefined) =>
  elementsOf(parent, 'STATE').map((state) => ({ state, code: state.attributes['name'] ?? null }));

/** A person, or a firm, of which two elements are known. */
const producerElements = ['INDIVIDUAL', 'FIRM', 'AGENCY'] as const;

const nameElements = ['NAME_FIRST', 'NAME_MIDDLE', 'NAME_LAST', 'NAME_SUFFIX', 'NAME_COMPANY', 'NAME'];

/** The error that a report has in its body instead of a producer. */
function errorOf(description: string): undefined {
  if (/not found|no (?:record|match|data)|does not exist|not exist/i.test(description)) return undefined;
  // The description may have what was sent, so it is repeated nowhere.
  const what = /\bpin\b|password|customer/i.test(description)
    ? 'refused the access'
    : 'answered with an error';
  throw new RegistryUnavailable(`The registry ${what}.`);
}

function parsed(text: string): XmlElement {
  try {
    const { root } = parseXml(text);
    if (root !== null) return root;
  } catch {
    // Its message has a part of the text.
  }
  throw new RegistryUnavailable('The registry returned something that is not XML.');
}

/** Reads the text of reports in the encoding that their first line names. @throws RangeError for an unknown one. */
export function reportDecoder(beginning: Uint8Array): InstanceType<typeof TextDecoder> {
  const [, encoding = 'utf-8'] =
    /encoding=["']([\w-]+)["']/.exec(Buffer.from(beginning).toString('latin1', 0, 200)) ?? [];
  return new TextDecoder(encoding);
}

/**
 * Reads a report, row by row: one that cannot be read is set aside, and elements that are not known are left out.
 * @returns undefined where the registry does not find the NPN.
 * @throws RegistryUnavailable as `writtenReport` does.
 */
export function readReport(text: string): EntityReport | undefined {
  const report = writtenReport(text);
  return report && reportOf(report);
}

/**
 * The rows of a report, with the names of our fields.
 * @returns undefined where the registry does not find the NPN.
 * @throws RegistryUnavailable for an error of the registry, and for what is no report, or one without its licenses: it must not
 *   look as if there were none.
 */
export function writtenReport(text: string): WrittenReport | undefined {
  const root = parsed(text);
  if (root.name !== 'PDB')
    throw new RegistryUnavailable('The registry returned something that is no report.');
  const description = textOf(childrenOf(elementAt(root, 'ERROR')), 'DESCRIPTION');
  if (description !== null) return errorOf(description);
  const producer = elementAt(root, 'PRODUCER');
  const [found] = producerElements.flatMap((name) => elementsOf(producer, name));
  const licensing = elementAt(found, 'PRODUCER_LICENSING') ?? elementAt(producer, 'PRODUCER_LICENSING');
  const licenses = elementAt(licensing, 'LICENSE_INFORMATION');
  if (found === undefined || licenses === undefined) {
    throw new RegistryUnavailable('The registry returned a report without licenses.');
  }
  const biographic = childrenOf(elementAt(found, 'ENTITY_BIOGRAPHIC', 'BIOGRAPHIC'));
  const states = statesOf(licenses);
  return {
    npn: textOf(biographic, 'NPN'),
    kind: found.name === 'INDIVIDUAL' ? 'individual' : 'firm',
    name: nameElements.flatMap((name) => textOf(biographic, name) ?? []).join(' '),
    licenses: states.flatMap(({ state, code }) =>
      elementsOf(state, 'LICENSE').map((one) => licenseOf(code, one)),
    ),
    appointments: states.flatMap(({ state, code }) =>
      [state, ...elementsOf(state, 'LICENSE')]
        .flatMap((holder) => elementsOf(holder, 'APPOINTMENT_INFORMATION'))
        .flatMap((information) => elementsOf(information, 'APPOINTMENT'))
        .map((one) => appointmentOf(code, childrenOf(one))),
    ),
    regulatoryActions: statesOf(
      elementAt(licensing, 'REGULATORY_ACTION') ?? elementAt(found, 'REGULATORY_ACTION'),
    ).flatMap(({ state, code }) => actionsIn(state).map((one) => actionOf(code, childrenOf(one)))),
  };
}
