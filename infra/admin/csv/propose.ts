// Proposes how the columns of a table are read.
import type { RecordType } from '../../../functions/import/record-schemas.ts';
import { invalidAt } from '../../../shared/platform/contract/errors.ts';
import { fieldKinds, writtenSchema } from '../fields.ts';
import { type CsvMapping, cellText, dateReader, delimiters, rowsOf } from './mapping.ts';

/**
 * Proposes how the columns of a table are read: the type of record that most of them fit, and their forms of dates and words. What
 * the table does not say, such as the status of a license, is not made up, but named as missing.
 * @throws ApiError `validation_error` for a file that is no table, or whose columns are not known.
 */
export async function proposeMapping(bytes: () => AsyncIterable<Buffer>): Promise<object> {
  const {
    delimiter,
    rows: [header = [], ...rows],
  } = await firstRows(bytes);
  const types = (Object.keys(columnNames) as RecordType[])
    .map((type) => ({ type, columns: columnsOf(type, header) }))
    .toSorted((one, other) => other.columns.size - one.columns.size);
  const [best] = types;
  if (best === undefined || best.columns.size === 0) {
    throw invalidAt('mappingOf', 'has no column whose name is known: write the mapping by hand');
  }
  const { type, columns } = best;
  const kinds = fieldKinds(writtenSchema(type));
  const fields = Object.fromEntries(
    Array.from(columns, ([path, index]) => {
      const column = header[index] ?? '';
      const cells = rows.flatMap((row) => row[index] || []);
      const words = Object.entries(knownWords[path] ?? {}).filter(([word]) =>
        cells.some((cell) => cell.toUpperCase() === word),
      );
      const form =
        kinds.get(path)?.kind === 'date' && !cells.every((cell) => isoDate.test(cell))
          ? dateForms.find((one) =>
              cells.every((cell) => isoDate.test(cell) || dateReader([one])(cell) !== undefined),
            )
          : undefined;
      if (words.length === 0 && form === undefined) return [path, column];
      return [
        path,
        {
          column,
          ...(form === undefined ? {} : { dates: [form] }),
          ...(words.length === 0 ? {} : { words: Object.fromEntries(words) }),
        },
      ];
    }),
  );
  const used = new Set(columns.values());
  return {
    mapping: { type, delimiter, fields },
    notMapped: header.filter((_, index) => !used.has(index)),
    missing: Array.from(kinds, ([path, { isRequired }]) =>
      isRequired && path !== 'type' && !path.includes('[]') && !columns.has(path) ? path : [],
    ).flat(),
  };
}

/**
 * The names of columns, without case, spaces, and punctuation, by field. A field comes before those with a name that is a part of
 * its own.
 */
const columnNames: Readonly<Partial<Record<RecordType, Readonly<Record<string, readonly string[]>>>>> = {
  license: {
    npn: ['npn', 'nationalproducernumber', 'nationalproducerno', 'npnnumber'],
    stateCode: ['state', 'statecode', 'licensestate', 'jurisdiction'],
    licenseNumber: ['licensenumber', 'licenseno', 'licensenum', 'licenseid', 'license'],
    licenseClassCode: ['licensetypecode', 'licenseclasscode', 'classcode', 'tycl'],
    licenseClassName: [
      'licensetype',
      'licenseclass',
      'licensetypedescription',
      'licenseclassname',
      'tycldesc',
    ],
    status: ['licensestatus', 'status', 'active', 'licensestatusdescription'],
    statusReason: ['statusreason', 'licensestatusreason', 'reason'],
    statusDate: ['statusdate', 'licensestatusdate', 'statuseffectivedate'],
    residencyStatus: ['residencystatus', 'residency', 'residentnonresident', 'resident', 'residencytype'],
    issueDate: [
      'issuedate',
      'licenseissuedate',
      'originalissuedate',
      'dateissued',
      'effectivedate',
      'licenseeffectivedate',
      'firstactivedate',
    ],
    expirationDate: [
      'expirationdate',
      'licenseexpirationdate',
      'expiredate',
      'expirydate',
      'dateexpires',
      'licenseexpires',
    ],
    nextRenewalDate: ['renewaldate', 'nextrenewaldate'],
    'linesOfAuthority[].code': ['loacode', 'lineofauthoritycode', 'qualificationcode'],
    'linesOfAuthority[].name': [
      'loa',
      'lineofauthority',
      'linesofauthority',
      'qualification',
      'qualifications',
      'lines',
      'loaname',
      'qualificationtype',
    ],
    'linesOfAuthority[].issueDate': ['loaissuedate', 'loaeffectivedate', 'lineofauthorityissuedate'],
    'linesOfAuthority[].status': ['loastatus', 'lineofauthoritystatus'],
  },
  appointment: {
    npn: ['npn', 'nationalproducernumber', 'licenseenpn', 'npnnumber'],
    stateCode: ['state', 'statecode', 'jurisdiction', 'appointmentstate'],
    companyCode: ['cocode', 'naic', 'naiccode', 'naiccocode', 'naicnumber', 'companynaic'],
    appointerStateCoId: ['appointingentitynumber', 'appointingentityid', 'companystateid'],
    carrierName: [
      'appointingentityname',
      'appointingentity',
      'companyname',
      'carrier',
      'carriername',
      'insurer',
      'insurername',
    ],
    ein: ['fein', 'ein', 'companyfein'],
    lineOfAuthorityCode: [
      'loacode',
      'lineofauthoritycode',
      'appointmenttypecode',
      'appointmenttycl',
      'appttycl',
      'tycl',
    ],
    lineOfAuthorityName: [
      'loa',
      'lineofauthority',
      'appointmenttype',
      'appointmenttycldesc',
      'tycldesc',
      'appttycldesc',
    ],
    status: ['status', 'appointmentstatus', 'apptstatus'],
    terminationReason: ['terminationreason', 'termreason', 'statusreason', 'reason'],
    statusChangeDate: ['statusdate', 'appointmentstatusdate', 'statuschangedate', 'statuseffectivedate'],
    effectiveDate: [
      'appointmentdate',
      'appointmenteffectivedate',
      'effectivedate',
      'issuedate',
      'originalissuedate',
      'appointmentissuedate',
    ],
    renewalDate: ['expirationdate', 'appointmentexpirationdate', 'renewaldate', 'expirydate'],
    countyName: ['county', 'countyname', 'appointmentcounty'],
    countyCode: ['countycode'],
  },
  'policy-transaction': {
    policyNumber: [
      'policynumber',
      'policyno',
      'certificatenumber',
      'certificatereference',
      'certificateno',
      'policyref',
      'certificateref',
      'policycertificatenumber',
    ],
    policyTransactionType: [
      'transactiontype',
      'transactiontypeoriginalpremium',
      'transtype',
      'transaction',
      'type',
    ],
    policyTransactionDate: [
      'transactiondate',
      'dateofissue',
      'issuedate',
      'bounddate',
      'binddate',
      'dateissued',
      'transactionbookeddate',
    ],
    effectiveDate: ['inceptiondate', 'riskinceptiondate', 'effectivedate', 'policyeffectivedate', 'effdate'],
    expiryDate: ['expirydate', 'riskexpirydate', 'expirationdate', 'policyexpirationdate', 'expdate'],
    riskStateCode: [
      'riskstate',
      'stateprovinceterritorycantonetc',
      'riskstatecode',
      'locationofriskstate',
      'insuredstate',
      'state',
      'statecode',
    ],
    premiumAmountInUSD: [
      'grosspremium',
      'premium',
      'grosspremiumpaidthistime',
      'totalgrosspremium',
      'writtenpremium',
      'premiumamount',
    ],
    aggregateCoverageInUSD: ['suminsured', 'suminsuredamount', 'aggregatelimit', 'limit'],
    insuredEntityName: ['insuredname', 'fullnameorcompanyname', 'insured', 'namedinsured'],
    carrierName: ['carrier', 'carriername', 'insurer', 'insurername', 'writingcompany'],
    carrierNaicCode: ['naic', 'naiccode', 'cocode', 'carriernaic'],
    productName: ['product', 'productname', 'classofbusiness', 'riskclass'],
    productCode: ['productcode', 'riskcode'],
    lineOfBusiness: ['lineofbusiness', 'lob'],
    uniqueTransactionId: ['uniquetransactionid', 'transactionid', 'transactionreference'],
    producerCode: ['producercode', 'agencycode', 'brokercode', 'producingagentcode'],
    agencyName: ['agency', 'agencyname', 'broker', 'brokername', 'retailbroker', 'producingbroker'],
    agencyNpn: ['agencynpn', 'brokernpn'],
    agencyFein: ['agencyfein', 'agencyein', 'brokerfein'],
    agentName: ['agent', 'agentname', 'producer', 'producername', 'producingagent'],
    agentNpn: ['agentnpn', 'producernpn', 'npn'],
    agentLicenseNumber: ['agentlicensenumber', 'producerlicensenumber', 'licensenumber'],
    agentLicensedState: ['agentlicensestate', 'producerlicensestate', 'licensestate'],
  },
  agent: {
    npn: ['npn', 'nationalproducernumber'],
    firstName: ['firstname', 'first', 'givenname', 'namefirst'],
    middleName: ['middlename', 'middle', 'namemiddle'],
    lastName: ['lastname', 'last', 'surname', 'namelast'],
    email: ['email', 'emailaddress', 'businessemail'],
    externalId: ['externalid', 'agentid', 'agentcode'],
  },
};

/** The values of fields that have few, by the words of tables for them. */
const knownWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  residencyStatus: {
    R: 'resident',
    NR: 'non-resident',
    RES: 'resident',
    'NON-RES': 'non-resident',
    NONRESIDENT: 'non-resident',
    'NON RESIDENT': 'non-resident',
    Y: 'resident',
    N: 'non-resident',
  },
  policyTransactionType: {
    NB: 'New',
    'NEW BUSINESS': 'New',
    'ORIGINAL PREMIUM': 'New',
    RN: 'Renewal',
    RB: 'Renewal',
    REN: 'Renewal',
    AP: 'Endorsement',
    RP: 'Endorsement',
    END: 'Endorsement',
    MTA: 'Endorsement',
    ENDT: 'Endorsement',
    CAN: 'Cancellation',
    CX: 'Cancellation',
    CANCEL: 'Cancellation',
    REIN: 'Reinstatement',
  },
};

const dateForms = [
  'M/d/yyyy',
  'M/d/yyyy h:mm:ss a',
  'M/d/yyyy h:mm a',
  'M/d/yyyy H:mm:ss',
  'M/d/yyyy H:mm',
  "yyyy-MM-dd'T'HH:mm:ss.SSS",
  "yyyy-MM-dd'T'HH:mm:ss",
  'yyyy-MM-dd HH:mm:ss',
  'yyyyMMdd',
  'M-d-yyyy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'MMM d, yyyy',
  'M/d/yy',
];

const isoDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/;

/** Rows that a proposal looks at, below the header. */
const rowsLookedAt = 200;

const comparable = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The columns of a header that a type of record has fields for, by field. */
function columnsOf(type: RecordType, header: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const names = header.map(comparable);
  for (const [path, known] of Object.entries(columnNames[type] ?? {})) {
    const taken = new Set(found.values());
    const at = known.map((name) => names.findIndex((one, index) => one === name && !taken.has(index)));
    const [column] = at.filter((index) => index !== -1);
    if (column !== undefined) found.set(path, column);
  }
  return found;
}

/** The header and the first rows of a table, read with the delimiter that gives the most columns. */
async function firstRows(bytes: () => AsyncIterable<Buffer>) {
  let widest:
    | { readonly delimiter: CsvMapping['delimiter']; readonly rows: (readonly string[])[] }
    | undefined;
  for (const delimiter of delimiters) {
    const rows: (readonly string[])[] = [];
    for await (const { cells } of rowsOf(bytes(), delimiter)) {
      if (cells !== undefined) rows.push(cells.map(cellText));
      if (rows.length > rowsLookedAt) break;
    }
    if ((rows[0]?.length ?? 0) > (widest?.rows[0]?.length ?? 1)) widest = { delimiter, rows };
  }
  if (widest === undefined) throw invalidAt('mappingOf', 'has no header with several columns');
  return widest;
}
