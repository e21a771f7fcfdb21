// How it is decided whether somebody may sell: each rule in a sentence of the OpenAPI document, some with an example
// (`examples.ts`). `test/decision` has the cases of each.

const known = {
  'row-order': 'The order of the rows within a list or an import does not matter.',
  'one-after-another':
    'Nor does it matter how an import is split into several; where two of them state the same term or status change differently, the later one counts.',
  'known-at': 'What was recorded after `knownAt` does not count.',
  'written-at': 'For that, the time at which each row was written counts, not that of its poll or import.',
  'became-known':
    'All that a poll or an import states became known on the day of the poll or import in New York, whenever its rows were written.',
  'whole-list': 'A list ends what it leaves out only once it is recorded as a whole.',
  'written-dates':
    'The date of a record is the calendar date that is written, whatever time or zone follows.',
  'complete-list':
    'A list of the registry is complete: what it leaves out has ended, also what an import recorded.',
  'empty-list': 'An empty list says that everything has ended.',
  'not-found': 'If the registry does not find an NPN, that says nothing.',
  'import-is-partial': 'An import says nothing about what it does not name.',
  deleted:
    'What an import marks with `isDeleted` never existed; if it is stated again later, it counts again.',
} as const;

const licenses = {
  'license-identity': 'A license is identified by its state, number, and class.',
  'term-identity':
    'A term of a license is identified by its `issueDate`; whatever changes it is a new version of it.',
  'term-days':
    'A term covers the days from its `issueDate` to its own end, both included. A license covers a day if one of its terms does.',
  'no-issue-date': 'A term without an `issueDate` covers all days until its own end.',
  'own-end': 'A term’s own end is the earlier of `nextRenewalDate` and `expirationDate`.',
  'no-own-end': 'A term without either date does not end by itself.',
  'not-live':
    'A term is live if its status is `active`, ignoring case; every other status says that it is not.',
  'valid-from':
    'A version of a term counts from the `validFrom` that an import gives, to the day before the next `validFrom` of the term.',
  'first-version':
    'Without a `validFrom`, the first version of a term counts from the beginning of the term.',
  'following-version':
    'A later version without a `validFrom` counts from that of the version it follows: the one that counted on the day on which it became known.',
  'equal-valid-from':
    'Of versions that count from the same day, the one recorded last wins: a renewal extends the term, a correction replaces it, for past days too.',
  'several-rows':
    'Where several rows of a list state one term, the live ones count, up to the latest end and with the lines of all of them.',
  'corrected-issue-date':
    'A term that a list leaves out while it names another term of the license never existed, if the two overlap, no list had both, and the other’s `issueDate` is null or not after the day on which the one left out was first recorded: its `issueDate` was corrected.',
  'renewed-license':
    'Otherwise such a term ended at its own end, and at the latest on the day before the other’s `issueDate`.',
  'early-renewal': 'So a renewal that the registry lists before it begins leaves no gap.',
  reissue: 'A license that is issued again after its own end leaves a gap.',
  'left-out-term':
    'A license that a list does not name at all ended on the day before the list, or at its own end if that is earlier.',
  'not-live-after-its-end':
    'A term that is reported as not live ended at its own end, if that had passed when this became known.',
  'not-live-before-its-end':
    'If its own end had not passed, it ended on the day before this became known, if it was known as live before.',
  'never-seen-live': 'If it was never known as live, it covers no day, and the message says so.',
  'first-seen-not-live':
    'For a term that was never known as live, its own end counts only if its status is `inactive`, `expired`, or `lapsed`.',
  'not-live-from':
    'A version that is not live and has a `validFrom`, after a live one, says that the term ended on the day before.',
  suspension:
    'A term that is live again later was not in force from the day on which the interruption became known through the day before the end of the interruption became known.',
  'back-within-30-days': 'A term that a list left out and that is back within 30 days was never gone.',
  'back-later':
    'One that is back later was not in force from the day on which it was left out through the day before its return.',
  'history-is-no-return':
    'An import that says that it counts from a day before the list that left the term out is history: the term is not back.',
  'line-added':
    'A line of authority that a later version of the same days adds counts from the day on which that became known.',
  'line-left-out': 'One that a later version of the same days leaves out never counted.',
  'line-ceased': 'One whose status ceases to be `active` ended on the day before that became known.',
  'later-valid-from':
    'A version with a later `validFrom` changes no line of earlier days, and its own lines count from then.',
} as const;

const appointments = {
  'appointment-identity':
    'An appointment is identified by its state, company, line of authority, and county; each of its rows is a status change.',
  'company-key': 'The company is known by its `companyCode`, else by its `ein`, else by its name.',
  'company-by-ein': 'A row without a `companyCode` belongs to the one company with its `ein`.',
  'company-by-name': 'A row with neither belongs to the one company with its name.',
  'company-unclear': 'Where several companies fit, such a row belongs to none of them.',
  'last-change': 'An appointment covers a day if its last status change on or before that day is live.',
  'live-appointment':
    'A status change is live if its status is `active` or `appointed`, ignoring case, and it has no `terminationReason`.',
  'renewal-date': 'An appointment covers its `renewalDate`, and no later day.',
  'changes-of-one-day':
    'Among status changes of one day, the one stated later counts, and among those stated at the same time, the live one.',
  'undated-live': 'A live row without a `statusChangeDate` counts for all days until the next status change.',
  'first-change-is-an-end':
    'An appointment whose earliest known status change is an end was in force before it.',
  'undated-rows': 'An appointment’s rows without a date are one status change.',
  'undated-live-and-end':
    'A dated end ends an undated live row, unless a later list states only the undated one.',
  'undated-end':
    'An end without a date takes its `renewalDate` as its date, if that had passed when the end became known.',
  'end-of-the-same-date':
    'So does an end with the `statusChangeDate` of the live row that it replaces; that row counts until then.',
  'end-became-known':
    'Without a `renewalDate` that had passed, such an end takes the day on which it became known, if the appointment was known as live before.',
  'never-seen-appointed': 'If it was never known as live, an end without a date says that it covers no day.',
  'inferred-until-renewal': 'What is inferred before an end ends with the `renewalDate`, if that is earlier.',
  'termination-taken-back':
    'Where a list names an appointment, later status changes that it leaves out never happened: a termination is taken back.',
  'earlier-changes': 'Earlier status changes that such a list leaves out remain.',
  'left-out-appointment':
    'An appointment that a list does not name at all ended on the day before the list; if it is back within 30 days, it was never gone.',
  'stated-again':
    'It is back when a list or an import states it again, whatever its `statusChangeDate`, until a list leaves it out once more.',
} as const;

const carriers = {
  'naic-code': 'An appointment counts if its `companyCode` is one of the organization’s NAIC codes.',
  ein: 'It also counts if its `ein` is one of the organization’s EINs, with or without the hyphen.',
  'carrier-name':
    'Where the organization has neither, the `carrierName` counts, ignoring case, punctuation, and endings such as Inc and Insurance Company.',
  'product-codes': 'For a product with `carrierNaicCodes`, only appointments with one of those codes count.',
  'all-lines': 'Only an appointment with neither a code nor a name of a line of authority covers all lines.',
  'line-by-name':
    'A line without a code counts for the codes that the holder’s licenses of that state give its name, else for none.',
} as const;

const requirements = {
  'each-line':
    'Each entry of `linesOfAuthority` must be met, by licenses and by appointments; several may meet them together.',
  'any-of':
    'An entry with `anyOf` is met by one of its codes, and license and appointment may have different ones.',
  'appointment-of':
    '`appointmentOf` says who needs the appointment: the agency, the agent, or, by default, both.',
  'on-binding':
    'Where the appointment is `on binding`, a missing one is `Appointment on Binding`, which is compliant.',
  'unlisted-state': 'In a state that the product does not list, a license is required and nothing else.',
  'config-in-force':
    'A day is judged by the version of the config that is in force on it, as known at `knownAt`.',
  'first-config':
    'Before the first version, and where none was known at `knownAt`, the first one counts, and `configBasis` is `first version`.',
} as const;

const answers = {
  expired:
    '`Expired License` means that nothing covers the day and that a term’s own end, by the version that counts on the day, lies before it.',
  missing: 'Otherwise, a day that nothing covers is `Missing License`.',
  basis:
    '`basis` is `history` where all that counts was recorded by the day, and `registry dates` where it was not.',
  'covering-row': 'What covers a day is shown as the row that says so for that day.',
} as const;

/** By section, the sentence of each rule. */
export const rules = {
  'What is known': known,
  Licenses: licenses,
  Appointments: appointments,
  'Whose appointment counts': carriers,
  'What a product requires': requirements,
  Answers: answers,
} as const;

/** The sentence of each rule about policies, to each of whose parties the others apply. */
export const policyRules = {
  'each-party':
    'A policy is judged by its agency and by each agent who sold it: it is `COMPLIANT` if all of them are.',
  'strictest-license':
    'Its license status is the strictest of theirs, in this order: `Missing License`, `Expired License`, `Missing Line of Authority`, `Licensed`.',
  'strictest-appointment':
    'So is its appointment status: `Not Appointed`, `Appointment on Binding`, `Appointed`, `Not Required`.',
  'strictest-product':
    'Where it is not clear which product a policy is for, the strictest status among all products that it may be for counts, and the message names them.',
  'unknown-seller':
    'An agent who is named but was not found, or is in manual review, changes no status, and the message says that the agent was not identified.',
} as const;

export type RuleId = { [Section in keyof typeof rules]: keyof (typeof rules)[Section] }[keyof typeof rules];
