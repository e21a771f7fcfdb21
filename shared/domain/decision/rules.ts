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
  'npn-not-found':
    'An NPN that the registry does not find says nothing about records. If the registry found it before, what is recorded may no longer hold: `npn_not_found`, not known.',
  'import-is-partial': 'An import says nothing about what it does not name.',
  deleted:
    'What an import marks with `isDeleted` never existed; if it is stated again later, it counts again.',
  'row-set-aside':
    'While a row that could not be read is set aside, it is not known whether it ended what it may be about, or is what nothing else meets: `row_not_understood`.',
} as const;

const words = {
  'status-words':
    'A status says that a record is live, lapsed, inactive, pending, or has ended, by the table of words below.',
  'status-unrecognized':
    'One that is not in the table is not in force from its date on, or from when it became known, but that is not known: `status_unrecognized`. It says nothing about the time before.',
  'termination-reason':
    'A `terminationReason` ends an appointment whose status is live, unless it says that there is none.',
  'class-by-name': 'The class name of a license says what kind of license it is, by the other table below.',
  'class-kind':
    'An operator may import what kind a state’s class is, also for licenses without a class, and take it back; it counts as known at `knownAt`, and the organization’s own wins.',
  'class-wrong':
    'Only producer licenses count, unless the config names classes. Where nothing but licenses of another kind are in force, the reason is `license_class_wrong`.',
  'class-unrecognized':
    'A license whose kind is not recognized might count: `class_unrecognized`, not known, where no other license meets what is required.',
} as const;

const licenses = {
  'license-identity': 'A license is identified by its state, number, and class.',
  'license-number': 'Numbers are compared by letters and digits alone, ignoring case and leading zeros.',
  'row-without-class':
    'Rows with the same number belong to one license unless their class codes differ, ignoring case and surrounding spaces, or, where one has no code, the kinds of their class names. A row that fits several licenses is about none of them if it is live, and about all of them if it is not.',
  'term-identity':
    'A term of a license is identified by its `issueDate`; whatever changes it is a new version of it.',
  'term-days':
    'A term covers the days from its `issueDate` to its own end, both included. A license covers a day if one of its terms does.',
  'no-issue-date': 'A term without an `issueDate` covers all days until its own end.',
  'own-end':
    'A term’s own end is the earlier of `nextRenewalDate` and `expirationDate`; a version that is not live and has neither keeps that of the last live one.',
  'no-own-end': 'A term without either date does not end by itself.',
  'valid-from':
    'A version of a term counts from the `validFrom` that an import gives, to the day before the next `validFrom` of the term.',
  'first-version':
    'Without a `validFrom`, the first version of a term counts from the beginning of the term.',
  'following-version':
    'A later version without a `validFrom` counts from that of the version it follows: the one that counted on the day on which it became known.',
  'equal-valid-from':
    'Of versions that count from the same day, the one recorded last wins: a renewal extends the term, a correction replaces it, for past days too.',
  'several-rows':
    'Where several rows of a list state one term, the live ones count, up to the latest end and with the lines of all of them. Where none is live, the one with the latest end counts, then the one whose status comes first in the table, then the one with the earliest `statusDate`.',
  'corrected-issue-date':
    'A term that a list leaves out while it names another term of the license never existed, if the two overlap, no list had both, and the other’s `issueDate` is null or not after the day on which the one left out was first recorded: its `issueDate` was corrected.',
  'renewed-license':
    'Otherwise such a term ended at its own end, and at the latest on the day before the other’s `issueDate`, or, where the other did not begin later, before the list.',
  'early-renewal': 'So a renewal that the registry lists before it begins leaves no gap.',
  reissue: 'A license that is issued again after its own end leaves a gap.',
  'left-out-term':
    'A license that a list does not name at all ended on the day before the list, or at its own end if that is earlier.',
  'not-live': 'A term whose status is not live is not in force.',
  'status-date': 'It ended at its own end or on the day before its `statusDate`, whichever is earlier.',
  'not-live-after-its-end':
    'Without a `statusDate`, a term that was recorded as live before ended at its own end, if that had passed when the new status became known.',
  'not-live-before-its-end': 'If its own end had not passed, it ended on the day before this became known.',
  'license-unknown':
    'If it was never recorded as live, whether it covered the days before this became known is not known: `license_unknown`.',
  'first-seen-lapsed': 'If its status says that it lapsed, it covered them.',
  pending: 'A term that is pending when it is first recorded covers no day.',
  'not-live-from':
    'A version that is not live and has a `validFrom`, after a live one, says that the term ended on the day before.',
  suspension:
    'A term that is live again later was not in force from the day (or `statusDate`) of the interruption through the day before its end became known, or before the `statusDate` of that.',
  'back-within-30-days': 'A term that a list left out and that is back within 30 days was never gone.',
  'back-later':
    'One that is back later was not in force from the day on which it was left out through the day before its return.',
  'history-is-no-return':
    'An import that says that it counts from a day before the list that left the term out is history: the term is not back.',
  'end-of-no-term':
    'A row that is not live, and whose `issueDate` no live row of its license had when it became known, ends the terms of its license, also those recorded later, that began before its `statusDate`, else before its own end if that has passed, else before the day on which it became known; in a list that states the license live, it ends none. One that ends nothing is the warning `end_unmatched`.',
  'no-line-counts':
    'A license that carries lines of authority covers only days on which one of them counts: on other days, the reason is `line_missing`.',
  'line-issue-date':
    'A line of authority counts from its `issueDate`; without one, a line of the first version counts from the beginning of the term, with the warning `line_date_unknown` for days before it became known.',
  'line-added':
    'One that a later version of the same days adds counts from the day on which that became known.',
  'line-left-out': 'One that a later version leaves out ended on the day before that became known.',
  'line-ceased':
    'One whose status is no longer live ended on the day before its `statusDate`, or before that became known.',
  'line-kept': 'An import without lines of authority says nothing about them.',
  'later-valid-from': 'A version with a later `validFrom` changes no line of earlier days.',
  'line-without-code':
    'A line without a code counts for the codes that the holder’s licenses of that state give its name.',
} as const;

const home = {
  'home-state':
    'A non-resident license counts only while the holder has a resident producer license in force, in any state. If there is none, and any poll of the registry ever stated the last one, the reason is `home_state_license_not_active`.',
  'home-state-unknown':
    'Otherwise it counts, with the warning `home_state_license_unknown`. A resident license that is `license_unknown` on the day is not in force on it.',
  'home-state-ignored': 'With `homeState: ignored`, a config asks nothing about the home state.',
} as const;

const orders = {
  order:
    'A regulatory action that suspends, revokes, prohibits, or takes the surrender of a license is in force in its state from its `effectiveDate`, else `dateOfAction`, else `enterDate`, else from when it became known: `regulatory_action_in_force`. In its home state, a holder under such an order has no license that counts.',
  'order-length':
    'It is in force for `lengthOfOrderInDays`, of which its first day is one. Without a length, or with 0, it is in force until a list recorded 30 or more days later still states a license there as live, and for at most 365 days.',
  'order-stayed': 'One that is stayed, lifted, or rescinded, or suspends a fine, is not in force.',
  'cease-and-desist':
    'Whether a cease and desist order forbids the sale is not known: `regulatory_action_in_force`, as a reason that is not known.',
} as const;

const appointments = {
  'appointment-identity':
    'An appointment is identified by its state, company, line of authority, and county; each of its rows is a status change. Case, punctuation, and leading zeros of codes do not matter.',
  'company-key': 'The company is known by its `companyCode`, else by its `ein`, else by its name.',
  'company-by-ein': 'A row without a `companyCode` belongs to the one company with its `ein`.',
  'company-by-name': 'A row with neither belongs to the one company with its name.',
  'company-unclear': 'Where several companies fit, such a row belongs to none of them.',
  'last-change': 'An appointment covers a day if its last status change on or before that day is live.',
  'live-appointment': 'A status change is live if its status is and it has no `terminationReason`.',
  'appointment-pending':
    'A pending or unrecognized status covers no day from its date on, and says nothing about the time before.',
  'renewal-date': 'An appointment covers its `renewalDate`, and no later day.',
  'changes-of-one-day':
    'Among status changes of one day, the one stated later counts, and among those stated at the same time, the live one with the latest `renewalDate`, else an end, else one whose status is not recognized.',
  'undated-live':
    'A live row without a `statusChangeDate` counts from its `validFrom`, or from the day on which it became known; whether it covered earlier days is not known: `appointment_unknown`.',
  'unknown-before-end':
    'Nor is it known whether an appointment covered the days before an end that is its earliest known change.',
  'effective-date':
    'A live change counts from its `effectiveDate` if that is earlier, except for the days from an end, or from a list that left it out, between the two.',
  'undated-rows': 'An appointment’s rows without a date are one status change.',
  'undated-live-and-end':
    'A dated end ends an undated live row, also one that the same list states, unless a later list states only the undated one.',
  'undated-end':
    'An end without a date takes its `renewalDate` as its date, if that had passed when the end became known.',
  'end-of-the-same-date':
    'So does an end with the `statusChangeDate` of the live row that it replaces; that row counts until then.',
  'end-became-known':
    'Without a `renewalDate` that had passed, such an end takes the day on which it became known, if the appointment was known as live before.',
  'never-seen-appointed':
    'If it was not known as live on an earlier day, an end without a date says that it covers no day before that became known, whatever the same list states beside it.',
  'inferred-until-renewal': 'What is inferred before an end ends with the `renewalDate`, if that is earlier.',
  'termination-taken-back':
    'Where a list names an appointment, later status changes that it leaves out never happened: a termination is taken back.',
  'earlier-changes': 'Earlier status changes that such a list leaves out remain.',
  'left-out-appointment':
    'An appointment that a list does not name at all ended on the day before the list; if it is back within 30 days, it was never gone.',
  'stated-again':
    'It is back when a list or an import states it again, whatever its `statusChangeDate`, until a list leaves it out once more.',
  'broad-end':
    'An end in an import that leaves out the line, the county, or the company’s code, or names a county that no record has, ends every appointment of the company in the state that it may mean. One that ends nothing is the warning `end_unmatched`.',
} as const;

const carriers = {
  'naic-code': 'An appointment counts if its `companyCode` is one of the organization’s NAIC codes.',
  ein: 'It also counts if its `ein` is one of the organization’s EINs, with or without the hyphen.',
  'carrier-name':
    'Where the organization has neither, the `carrierName` counts, ignoring case, punctuation, and endings such as Inc and Insurance Company.',
  'product-codes': 'For a product with `carrierNaicCodes`, only appointments with one of those codes count.',
  'state-codes': 'A state of a config may name its own `carrierNaicCodes`, which count there instead.',
  'writing-company':
    'Where several codes count, only appointments of the company that writes the policy do: of the `carrierNaicCode` of the sale check or policy transaction, else of the one whose name, on an appointment or else in the list of carriers, is its `carrierName`. Where one code counts, the company that a sale names makes no difference.',
  'company-unknown':
    'If that company is none of them, or cannot be told from its name and not all of them have appointed, the reason is `company_unknown`, not known.',
  'company-not-named':
    'If the sale names no company, an appointment of any of them counts, with the warning `company_not_named` unless all of them have appointed.',
  'by-group': 'With `appointmentBy: group`, an appointment of any of them counts.',
  'all-lines': 'Only an appointment with neither a code nor a name of a line of authority covers all lines.',
  'all-lines-by-name': 'The names `All` and `All Lines` are no name of a line.',
  'line-by-name':
    'A line without a code counts for the codes that the holder’s licenses of that state give its name, else for none.',
} as const;

const requirements = {
  'each-line':
    'Each entry of `linesOfAuthority` must be met, by licenses and by appointments; several may meet them together.',
  'any-of':
    'An entry with `anyOf` is met by one of its codes, and license and appointment may have different ones.',
  'license-classes': 'With `licenseClasses`, only licenses with one of these class codes or names count.',
  'further-licenses':
    'Each of `furtherLicenses` must be met by one license of the seller or of the agency, else the reason is `further_license_missing`. The status of one party alone asks it of that party.',
  'license-of':
    '`licenseOf` says who needs the license: the agency, the agent, or, by default, both. Of whom nothing is asked the status is `Not Required`. What is asked of agents alone is not known of a sale without an agent (`seller_not_named`), and what is asked of the agency alone is not known of one without an agency (`agency_unknown`).',
  'appointment-of':
    '`appointmentOf` says who needs the appointment: the agency, the agent, or, by default, both.',
  either:
    'With `appointmentOf: either`, one of the two is enough for a sale; the status of one party alone asks it of that party.',
  'agency-differs': '`agency` says which lines of authority and classes are required of the agency instead.',
  'npn-missing':
    'Of an agency without an NPN nothing is asked if it needs none (`isNpnRequired` is false); otherwise the reason is `npn_missing`, not known. So it is for a sale that has no agent, or where the config asks something of the agency alone.',
  'on-binding':
    'Where the appointment is `on binding`, a missing one is `Appointment on Binding`, which is compliant, also where it is not known whether there is one.',
  'for-cause':
    'It is not if the carrier’s last change there is an end for cause, which its `terminationReason` or its status calls `cause` without a word such as `not` or `without` before it: `terminated_for_cause`.',
  'state-not-configured':
    'In a state that the product does not list, nobody may sell it: `state_not_configured`.',
  'other-states': 'That is, unless the config says in `otherStates` what is required in all other states.',
  'config-in-force':
    'A day is judged by the version of the config that is in force on it, as known at `knownAt`.',
  'first-config':
    'Before the first version, and where none was known at `knownAt`, the first one counts, and `configBasis` is `first version`.',
} as const;

const ownWord = {
  authority:
    'An agent whose `authority` for the product is recorded may sell it only in its `approvedStates`, else the reason is `authority_missing`; with `authority: required` in the config, everybody needs it, and with `ignored`, nobody.',
  archived: 'An archived agent is `seller_archived`.',
  association:
    'Sale checks ask for an `active` association with the agency: `association_not_active`. Like the other two, which also count in the present status of policies, it counts from today on; for earlier days, the three are the warning `association_of_today`.',
} as const;

const answers = {
  strictest:
    'A party with a reason against is a no; one with nothing but reasons not known is unknown. A sale is a no if one of its parties is, else unknown if one is. Its statuses are the strictest of its parties.',
  expired:
    '`Expired License` means that no license that counts is live and that the own end of a term of one lies before the day.',
  missing:
    'Otherwise, a day that nothing covers is `Missing License`: `license_not_begun` if the first term begins later, else `license_missing`.',
  'not-verified':
    'Where the organization wants records verified within some days, older ones are `not_verified`, not known, in sale checks.',
  basis:
    '`basis` is `history` where all that counts was recorded by the day, and `registry dates` where it was not.',
  'covering-row': 'What covers a day is shown as the row that says so for that day.',
} as const;

/** By section, the sentence of each rule. */
export const rules = {
  'What is known': known,
  'Statuses and classes': words,
  Licenses: licenses,
  'The home state': home,
  'Regulatory actions': orders,
  Appointments: appointments,
  'Whose appointment counts': carriers,
  'What a product requires': requirements,
  'The carrier’s own word': ownWord,
  Answers: answers,
} as const;

/** The sentence of each rule about policies, to each of whose parties the others apply. */
export const policyRules = {
  'each-party':
    'A policy is judged by its agency and by each agent who sold it: it is `COMPLIANT` if all of them are, and `NOT_COMPLIANT` if one of them is not. If that is not known of one of them, its `complianceStatus` is null.',
  'strictest-license':
    'Its license status is the strictest of theirs, in this order: `State Not Configured`, `Regulatory Action`, `Missing License`, `Expired License`, `Home State License Not Active`, `Wrong License Class`, `Missing Line of Authority`, `License Not Known`, `Licensed`, `Not Required`.',
  'strictest-appointment':
    'So is its appointment status: `State Not Configured`, `Not Appointed`, `Appointment Not Known`, `Appointment on Binding`, `Appointed`, `Not Required`.',
  'strictest-product':
    'Where it is not clear which product a policy is for, the strictest status among all products that it may be for counts, and the message names them.',
  'product-unknown': 'A policy for no known product is `product_unknown`, not known.',
  'unknown-seller':
    'An agent who is named but was not found, or is in manual review, is `seller_unknown`, not known.',
  'seller-not-named':
    'A policy that names no agent is `seller_not_named`, not known, unless the organization’s policies do not name agents: then the agency’s verdict stands, if nothing is asked of agents alone. So is a policy all of whose agents have left the agency, where something is asked of agents alone.',
} as const;

export type RuleId = { [Section in keyof typeof rules]: keyof (typeof rules)[Section] }[keyof typeof rules];
