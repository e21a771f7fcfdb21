// How it is decided whether somebody may sell: each rule in a sentence of the OpenAPI document, some with an example
// (`examples`). `test/decision` has the cases of each.

const known = {
  'row-order': 'The order of the rows within one list or one import makes no difference.',
  'one-after-another':
    'Nor does it make a difference whether an import comes as one file or as several. Only where two of them state the same term of a license, or the same status change of an appointment, differently does the later one count.',
  'known-at': 'What was recorded after `knownAt` does not count, as if nobody had stated it yet.',
  'written-at':
    'Whether a row was recorded by `knownAt` depends on when that row was written, not on when its poll or import began.',
  'became-known':
    'What a poll or an import states *became known* on the day of the poll or import in New York, even if some of its rows were written later.',
  'whole-list':
    'A list ends what it leaves out only once all of it is recorded: with a `knownAt` before that, it adds rows and ends nothing.',
  'written-dates':
    'The date of a record is the calendar date as it is written; a time or a zone after it is ignored.',
  'complete-list':
    'A list of the registry is complete: a license or an appointment that it leaves out has ended, even if it was an import that recorded it. When it ended, the sections about licenses and appointments say.',
  'empty-list': 'An empty list says that all licenses, or all appointments, of the NPN have ended.',
  'npn-not-found':
    'If the registry does not find an NPN, nothing ends because of that. But if an earlier poll found it, it is not known whether what is recorded still holds, until a later poll finds the NPN: `npn_not_found`.',
  'import-is-partial': 'An import says nothing about what it does not name.',
  deleted:
    'What an import marks with `isDeleted` never existed, on past days either. If a later list or import states it again, it counts again.',
  'row-set-aside':
    'A row that could not be read is set aside until the next list, or the next import about its license number or its company, that can be read. Until then, the reason is `row_not_understood`, not known: of every license that the row may have ended, if it is not live or its status could not be read; of what no other license meets, if it is live; and of every appointment of its company. If its company could not be read either, it is only the warning `row_not_understood`.',
} as const;

const words = {
  'status-words':
    'By its status, a row is *live*, or it is *lapsed*, *inactive*, *pending*, or *ended* (the table of words below). Only a live row says that a license or an appointment is in force.',
  'status-unrecognized':
    'A row whose status has a word that is not in the table is not in force from its `statusDate` (of an appointment: `statusChangeDate`) on, else from the day on which it became known. Whether it should be is not known: `status_unrecognized`. It does not say that anything was in force before.',
  'termination-reason':
    'A `terminationReason` makes an appointment’s row an end, even if its status is live, unless it says that there is no reason.',
  'class-by-name':
    'The class name of a license says what kind of license it is, by the table of class words below.',
  'class-kind':
    'An operator can import what kind a state’s class is, also for licenses without a class, and take that back. It counts for all days if it was imported by `knownAt`; what was imported for the organization counts before what was imported for everybody.',
  'class-wrong':
    'Only licenses of the kind *producer* count, unless the config names `licenseClasses`. Where no license that counts is in force and one that does not count is, the reason is `license_class_wrong` instead of `license_missing`.',
  'class-unrecognized':
    'A license whose kind is *unrecognized* might count. If it would meet what no other license meets, the reason is `class_unrecognized`, not known.',
} as const;

const licenses = {
  'license-identity': 'A license is identified by its state, number, and class.',
  'license-number': 'Numbers are compared by letters and digits alone, ignoring case and leading zeros.',
  'row-without-class':
    'Rows with the same number are about one license unless their class codes differ, ignoring case and surrounding spaces. Where one of two rows has no code, they are about one license unless both have a class name and these are of different kinds. A row that fits several licenses in this way is about none of them if it is live (it is a license of its own), and ends all of them if it is not: it is no version of their terms, and whether they were in force before is not known by it (`license_unknown`). The class of a license is that of its own rows. A row without a class name has the name that the last list or import gives rows of its license. If rows of its license ever had names of different kinds, it has none.',
  'term-identity':
    'A license has one *term* for each `issueDate`, and one for its rows without an `issueDate`. Each list or import that changes a term adds a *version* of it.',
  'term-days':
    'A term covers the days from its `issueDate` through its own end, both included, unless the sentences below take days from it. A license covers a day if one of its terms does.',
  'no-issue-date': 'A term without an `issueDate` covers all days through its own end.',
  'own-end':
    'A term’s *own end* is the earlier of `nextRenewalDate` and `expirationDate`. A version that is not live and has neither date has the own end of the last live version before it: of those that count from the same day, if there is one, else of all.',
  'no-own-end':
    'A term with neither date has no own end: it covers every later day until something says that it is not in force.',
  'valid-from':
    'A version of a term counts from its `validFrom`, which an import can state, through the day before the next `validFrom` of the term.',
  'first-version':
    'Without a `validFrom`, the first version of a term counts from the beginning of the term.',
  'following-version':
    'A later version without a `validFrom` counts from the same day as the version that it follows: the one that counted on the day on which the later one became known.',
  'equal-valid-from':
    'Of versions that count from the same day, only the one recorded last counts: a renewal extends the term, and a correction of its dates replaces them, for past days too.',
  'several-rows':
    'Where several rows of one list or import state one term, the live ones count together: through the latest of their own ends, with the lines of authority of all of them. Where none is live, one row counts: that with the latest own end; of several such rows, that whose status comes first in the table; of several of these, that with the earliest `statusDate`.',
  'corrected-issue-date':
    'Where a list names a term of a license and leaves out another one, the latter never existed if three things are true: by what was known with the list, the two overlap; no list ever had both; and the `issueDate` of the one that is named is null or not after the day on which the one left out was first recorded. Its `issueDate` was corrected.',
  'renewed-license':
    'If one of the three is not true, the term that is left out ended at its own end, and at the latest on the day before the `issueDate` of the term that is named. If no term that is named began later, it ended at the latest on the day before the list.',
  'early-renewal': 'So a renewal that a list names before it begins leaves no gap.',
  reissue: 'But a license that is issued again some time after its own end was not in force in between.',
  'left-out-term':
    'A license that a list does not name at all ended on the day before the list, or at its own end if that is earlier.',
  'not-live':
    'A term whose status is not live is not in force any more. The next sentences say when it ended.',
  'status-date':
    'With a `statusDate`, it ended at its own end or on the day before its `statusDate`, whichever is earlier. It was in force before, even if it was never recorded as live, and a `statusDate` before the `validFrom` of its version also ends what earlier versions say.',
  'not-live-after-its-end':
    'Without a `statusDate`, a term that was recorded as live before ended at its own end, if that had passed when it became known that the term is not live.',
  'not-live-before-its-end': 'If its own end had not passed, it ended on the day before that became known.',
  'license-unknown':
    'Without a `statusDate`, a term that was never recorded as live is not in force from the day on which that became known. Whether it was in force on the days before, through its own end, is not known: `license_unknown`.',
  'first-seen-lapsed': 'If its status says that it lapsed, it was in force on those days.',
  pending:
    'A term that is *pending* when it is first recorded covers no day until it is recorded as live. One that was live before and becomes pending ends like any other.',
  'not-live-from':
    'A version that is not live, follows a live one, and has a `validFrom` says that the term ended on the day before that `validFrom`.',
  suspension:
    'A term that is recorded as live again after it was not was interrupted. The interruption begins on the `statusDate` with which it was last recorded as not live, else on the day on which it first became known that it was not. It ends on the day before the `statusDate` of the live version, else on the day before that version became known.',
  'back-within-30-days':
    'A term that a list left out was never gone if a list or an import states it as live again within 30 days.',
  'back-later':
    'If that is later, the term was not in force from the day of the list that left it out, or from the day after it ended by the sentences above if that is later, through the day before it was stated again.',
  'history-is-no-return':
    'An import that states it with a `validFrom` before the day of that list is about the past: it does not state the term again.',
  'end-of-no-term':
    'A row that is not live fits no term if no live row of its license with its `issueDate` was known when it became known. Such a row ends all terms of its license that began before its `statusDate`, on the day before. Without a `statusDate`, it ends those that began before its own end at that end, if it had passed when the row became known, and else those that began before the day on which it became known, on the day before. It also ends terms that are recorded later. In a list that states the license as live, it ends none. A term is live again once a list states it so, or an import of a later day that does not state the end again. A row of an import that ends nothing is the warning `end_unmatched` until the next list of the state.',
  'no-line-counts':
    'A license that carries lines of authority covers only days on which one of them counts, even where no line is required: on other days, the reason is `line_missing`.',
  'line-issue-date':
    'A line of authority counts from the earliest `issueDate` that a version gives it. Without one, a line that the first version has counts from the beginning of the term, with the warning `line_date_unknown` for days before it became known.',
  'line-added':
    'Without an `issueDate`, a line that a later version of the same days adds counts from the day on which that version became known.',
  'line-left-out':
    'A line that a later live version leaves out ended on the day before that version became known. A version that is not live ends no line by leaving it out.',
  'line-ceased':
    'A line whose status is not live any more ended on the day before its `statusDate`, else on the day before that became known.',
  'line-kept': 'An import that states a license without any line of authority says nothing about its lines.',
  'later-valid-from':
    'A version with a later `validFrom` adds and leaves out lines only from that day on. On earlier days, it ends a line only by a `statusDate` before its `validFrom`.',
  'continuing-education':
    'Continuing education changes no answer. If the registry says of a line that counts that it is not in compliance, that is the warning `ce_not_in_compliance`; where the product requires lines, of those alone.',
  'line-without-code':
    'A line without a code counts for the codes that any row of the holder’s licenses of that state gives its name.',
} as const;

const home = {
  'home-state':
    'A non-resident license counts only while the holder has a resident license of the kind *producer* in force, in any state and whatever `licenseClasses` asks for. If there is none on the day, and a poll of the registry ever stated the last one that began by the day, the reason is `home_state_license_not_active`.',
  'home-state-unknown':
    'If only imports stated it, or no resident producer license began by the day, the non-resident license counts, with the warning `home_state_license_unknown`. A resident license that is `license_unknown` on the day is not in force on it.',
  'home-state-ignored': 'With `homeState: ignored`, a config asks nothing about the home state.',
} as const;

const orders = {
  order:
    'A regulatory action that suspends, revokes, prohibits, bars, cancels, enjoins, lifts a stay, or takes the surrender of a license is in force in its state from its `effectiveDate`, else `dateOfAction`, else `enterDate`, else from the day on which it became known: `regulatory_action_in_force`, even if the license is still live. Nor does a license of that state count as the holder’s license of the home state then.',
  'order-length':
    'It is in force for `lengthOfOrderInDays`, the first day included. Without a length, or with 0, it is in force through the day before a list that states a license of the state as live 30 or more days after its first day, and for 365 days at most. A list that was recorded before the order became known as it is now, by its disposition, first day, and length, does not count.',
  'order-stayed':
    'An action whose `disposition` says that it is over (vacated, set aside, overturned, rescinded, stayed, lifted but for a stay, reinstated, terminated), or that a fine, a penalty, or a denial is what is suspended, is not in force; one that is over, and begins later in that state, ends those before it. Where one part of a disposition is over and another in force, it is not known.',
  'cease-and-desist':
    'Whether a cease and desist order forbids the sale is not known: `regulatory_action_in_force`, here as a reason that is not known; nor is it of a disposition in words that no table has.',
} as const;

const appointments = {
  'appointment-identity':
    'An appointment is identified by its state, company, line of authority, and county. Each of its rows is a *status change*. Case, punctuation, and leading zeros of codes make no difference.',
  'company-key':
    'The company of a row is identified by its `companyCode`, without one by its `ein`, and without both by its `carrierName`.',
  'company-by-ein':
    'A row with an `ein` and no `companyCode` is about the one company with a code that other rows give that `ein`.',
  'company-by-name': 'A row with neither is about the one company to which other rows give its name.',
  'company-unclear':
    'Where no company or several fit, such a row is about none of them, but about a company of its own.',
  'last-change':
    'An appointment covers a day if, of its status changes on or before that day, the last one is live. So it does not cover the date of an end.',
  'live-appointment':
    'A status change is *live* if its status is live and no `terminationReason` makes it an end.',
  'appointment-pending':
    'A pending or unrecognized status change covers no day from its date on, and does not say that the appointment was in force before.',
  'renewal-date': 'A live status change covers its `renewalDate`, and no later day.',
  'changes-of-one-day':
    'Of several status changes of one day, the one stated last counts. Of those that one list or import states, the live one with the latest `renewalDate` counts, else an end, else an unrecognized one, else a pending one.',
  'undated-live':
    'A live row without a `statusChangeDate` covers days from its `validFrom` on, else from the day on which it became known. Whether it covered earlier days is not known: `appointment_unknown`.',
  'unknown-before-end':
    'Where the earliest status change of an appointment that is known is an end, it is not known either whether it covered the days before: `appointment_unknown`.',
  'effective-date':
    'A live status change with an earlier `effectiveDate` also covers the days from that on. If the appointment ended, or a list left it out, between the two dates, it covers only the days before that.',
  'undated-rows':
    'All rows of an appointment without a date state one status change: the one stated last counts.',
  'undated-live-and-end':
    'An end with a date also ends a live row without one, even if the same list states both. The live row counts again only if a later list states it and leaves the end out. After its `renewalDate`, no earlier status change counts, as without the end.',
  'undated-end':
    'An end without a date takes its `renewalDate` as its date, if that had passed when the end became known. A live row that it replaces and that covers only later days then covers none, and no earlier status change covers these days.',
  'end-of-the-same-date':
    'So does an end with the same `statusChangeDate` as the live row that it replaces: the live row counts until then.',
  'end-became-known':
    'If no `renewalDate` had passed, such an end takes as its date the day on which it became known, if the appointment was known as live before that day.',
  'never-seen-appointed':
    'If it was not, an end without a date says that the appointment covers no day before the end became known, even if the same list states a live row beside it.',
  'inferred-until-renewal':
    'The days before an end that are `appointment_unknown` go only through its `renewalDate`, if that is earlier.',
  'termination-taken-back':
    'Where a list names an appointment, the status changes that it leaves out and that are later than the earliest one that it states never happened: so a termination is taken back.',
  'earlier-changes': 'Status changes before that earliest one remain, although the list leaves them out.',
  'left-out-appointment':
    'A live appointment that a list does not name at all ended on the day before the list. If it is stated again within 30 days, it was never gone; if later, it was not in force until the day before that.',
  'stated-again':
    'It is stated again when a list or an import states the same status change once more, even though its `statusChangeDate` is before the list that left it out. It is in force until another list leaves it out.',
  'broad-end':
    'An end in an import may leave out the line of authority, the county, or the company’s code, name a county that no other row has, or name a line by its code where another row has only a name. It ends every appointment of the company in the state that it may mean. One that ends nothing is the warning `end_unmatched` until the next list of the state.',
} as const;

const carriers = {
  'naic-code': 'An appointment counts if its `companyCode` is one of the organization’s NAIC codes.',
  ein: 'It also counts if its `ein` is one of the organization’s EINs, with or without the hyphen.',
  'carrier-name':
    'Only where the organization has neither NAIC codes nor EINs does an appointment count by its `carrierName`: if it is the organization’s name, ignoring case, punctuation, and endings such as Inc and Insurance Company.',
  'product-codes':
    'For a product with `carrierNaicCodes`, only appointments with one of those codes count, whatever the organization’s own codes, EINs, and name are.',
  'state-codes':
    'Where the state in the config has `carrierNaicCodes` of its own, those count there instead.',
  'writing-company':
    'Where several codes count, only appointments of the *writing company* do. It is the company with the `carrierNaicCode` of the sale check or policy transaction. Without that code, it is the company with the transaction’s `carrierName` on an appointment of the party in the state, else in the list of carriers. Where only one code counts, the company that a sale names makes no difference.',
  'company-unknown':
    'If the sale names a company with none of these codes, the reason is `company_unknown`, not known. So it is if the company cannot be told from its name and some, but not all, of the companies with these codes have appointed the party.',
  'company-not-named':
    'If the sale names no company, an appointment of any of them counts, with the warning `company_not_named` unless all of them have appointed the party.',
  'by-group':
    'With `appointmentBy: group`, an appointment of any of them counts, whichever company the sale names.',
  'all-lines':
    'An appointment with neither a code nor a name of a line of authority covers all lines. Any other appointment covers its own line alone.',
  'all-lines-by-name': '`All` and `All Lines` are no code and no name of a line.',
  'line-by-name':
    'An appointment with the name of a line and no code covers the codes that any row of the holder’s licenses of that state gives that name. If none does, it covers no line.',
} as const;

const requirements = {
  'each-line':
    'Each entry of `linesOfAuthority` must be met by a license that counts and by an appointment that counts, as far as the config requires them. Different licenses may meet different entries, as may different appointments. Without entries, one license and one appointment of any line are enough.',
  'any-of':
    'An entry with `anyOf` is met by any one of its codes; the license may meet it by one code and the appointment by another.',
  'license-classes':
    'With `licenseClasses`, only licenses whose class code or class name is one of these count, of whatever kind they are.',
  'further-licenses':
    'Each of `furtherLicenses` must be met, besides, by one license of the seller or of the agency that has its class and all of its lines, else the reason is `further_license_missing`. The status of one party alone asks it of that party, if `licenseOf` asks anything of it.',
  'license-of':
    '`licenseOf` says who needs the license: the agency, the agent, or, by default, both. Where nothing is asked of a party, its status is `Not Required`. A sale for which there is no such party is not a yes: where something is asked of agents alone and there is none, the reason is `seller_not_named`, not known, and where it is asked of the agency alone, `agency_unknown`.',
  'appointment-of':
    '`appointmentOf` says who needs the appointment: the agency, the agent, or, by default, both.',
  either:
    'With `appointmentOf: either`, it is enough for a sale that one of the two is appointed. If neither is known to be, the reasons are those of the party of which nothing is against, else of the party with fewer reasons, else of the agent. The status of one party alone asks it of that party.',
  'agency-differs':
    '`agency` says which lines of authority and classes are required of the agency, instead of those of the state.',
  'npn-missing':
    'Of an agency without an NPN, nothing is asked if `isNpnRequired` is false. Otherwise, the reason is `npn_missing`, not known. So it is for a sale without an agent, or where something is asked of the agency alone, whatever `isNpnRequired` says.',
  'on-binding':
    'Where `appointment` is `on binding`, a missing appointment is `Appointment on Binding`, which is compliant, even if it is not known whether there is an appointment, until it is overdue (“Sales”).',
  'appointment-overdue':
    'Such an appointment is due `appointWithinDays` after the first sale of the party in the state that no appointment covered, since one last covered. From the day after until the party is appointed, the reason is `appointment_overdue`. Without `appointWithinDays`, or without a sale, it is never due.',
  'appointment-late':
    'A sale is compliant if the party was appointed by the day on which that was due, or if it is not due yet. Otherwise, the reason is `appointment_late`, also once the party is appointed.',
  'for-cause':
    'It is not compliant if the last status change of the carrier’s appointments in the state is an end for cause: its `terminationReason` or status has `cause`, but not after `not`, `not for`, `without`, `w/o`, `no`, or `other than`. The reason is `terminated_for_cause`.',
  'state-not-configured':
    'In a state that the config does not list, nobody may sell the product: `state_not_configured`.',
  'other-states':
    'That is, unless the config has `otherStates`, which says what is required in all states that it does not list. Lists over all states, and events, are still only about states that it lists.',
  'config-in-force':
    'A day is judged by the version of the config with the last `validFrom` on or before it, of those recorded by `knownAt`.',
  'first-config':
    'A day before the first version is judged by the first version, and so is every day if none was recorded by `knownAt`. `configBasis` is then `first version`, and otherwise `version`.',
} as const;

const ownWord = {
  authority:
    'An agent whose `authority` for the product is recorded may sell it only in its `approvedStates`; otherwise, the reason is `authority_missing`. An agent without one may sell it, unless the config says `authority: required`. With `authority: ignored`, no agent needs it.',
  archived: 'An archived agent may not sell: `seller_archived`.',
  association:
    'In sale checks and lists of sellers, the association with the agency must be `active`: `association_not_active`. The other two also count in the present status of policies. All three count for today and later days; for earlier days, they are the warning `association_of_today`.',
} as const;

const answers = {
  strictest:
    'A party with a reason against is a no, one with nothing but reasons not known is unknown, and one without reasons is a yes. A sale is a no if one of its parties is, else unknown if one is, else a yes. Its license status and its appointment status are the strictest of its parties’ (the order is that of “Policies”).',
  expired:
    '`Expired License`, `license_expired`: of the licenses that count, none is live on the day, and the own end of a term of one of them is before the day.',
  missing:
    '`Missing License`: no license that counts is in force on the day, and no other reason above says why. The reason is `license_not_begun` if the first term of a license that counts begins after the day, else `license_missing`.',
  'not-verified':
    'Where the organization has `verifiedWithinDays`, a party whose records were last verified longer ago, or never, is `not_verified`, not known, in sale checks and lists of sellers.',
  basis:
    'With `asOf`, `basis` is `history` if everything that counts for the day was recorded by that day, and `registry dates` if something was recorded later: then the dates that the registry states now say what was in force.',
  'covering-row':
    'What covers a day is shown as the row that says so for that day. Where a non-resident license counts, a `yes` also rests on the rows of the resident licenses that are in force.',
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
    'A policy is judged by its agency and its agents: it is `COMPLIANT` if all of them are, and `NOT_COMPLIANT` if one of them is not. Otherwise, something is not known of one of them, and its `complianceStatus` is null.',
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
    'A policy that names no agent is `seller_not_named`, not known, unless the organization has `policiesNameAgents: false`: then the agency’s result stands. A policy without an agent, or all of whose agents have left the agency, is `seller_not_named` in any case where something is asked of agents alone.',
} as const;

export type RuleId = { [Section in keyof typeof rules]: keyof (typeof rules)[Section] }[keyof typeof rules];

/** Examples of rules as the OpenAPI document prints them; `test/decision/cases.test.ts` holds each against the decision. */
export const examples: Readonly<Partial<Record<RuleId | keyof typeof policyRules, string>>> = {
  'known-at':
    'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09: `Licensed`.',
  'became-known':
    'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day: `Missing License`.',
  'written-dates':
    '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28: `Missing License`.',
  'npn-not-found':
    'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02: `License Not Known`, `npn_not_found`.',
  deleted:
    'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01: `Missing License`.',
  'row-set-aside':
    'A row of the license that is not live could not be read: `License Not Known`, `row_not_understood`.',
  'status-words': 'A license that was active becomes `Active/Suspended`: `Missing License`.',
  'status-unrecognized':
    'A license that was active becomes `Nullified` on 2026-01-10; on 2026-03-10: `License Not Known`, `status_unrecognized`.',
  'class-wrong':
    'The only license is of the class `Adjuster`, with the lines that the product requires: `Wrong License Class`.',
  'class-unrecognized': 'The class is `Frobnicator`: `License Not Known`, `class_unrecognized`.',
  'license-number': 'The number is `0012345`, and an import has `12345` as revoked: `Missing License`.',
  'own-end':
    '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10: `Expired License`.',
  'corrected-issue-date':
    'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01: `Missing License`.',
  'early-renewal':
    'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20: `Licensed`.',
  reissue:
    'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15: `Expired License`.',
  'status-date':
    'A license that ended on 2026-03-31 is `Expired` since 2026-04-15; on 2026-04-10: `Expired License`.',
  'license-unknown':
    'A license of 2015 to 2023 is first seen as `inactive`; in 2022: `License Not Known`, `license_unknown`.',
  'first-seen-lapsed':
    'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20: `Licensed`.',
  suspension:
    'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09: `Missing License`.',
  'back-within-30-days':
    'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20: `Licensed`.',
  'no-line-counts':
    'The only line of the license is `Inactive`, and the product requires none: `Missing Line of Authority`.',
  'line-issue-date':
    'The line has no date of its own; on a day before it became known: `Licensed`, with the warning `line_date_unknown`.',
  'line-added':
    'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09: `Missing Line of Authority`.',
  'line-ceased':
    'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10: `Missing Line of Authority`.',
  'home-state':
    'The registry lists a license of Georgia, and that of the home state, Kansas, which expired: `Home State License Not Active`.',
  'home-state-unknown':
    'The only resident license is an adjuster’s: `Licensed`, with the warning `home_state_license_unknown`.',
  order:
    'A suspension of 365 days from 2026-02-01 on, while the license is still live; on 2026-02-01: `Regulatory Action`.',
  'order-stayed': 'The disposition is `Fine suspended`: `Licensed`.',
  'cease-and-desist':
    'A cease and desist order without a date, and the license is live: `License Not Known`, `regulatory_action_in_force`.',
  'undated-live': 'In 2024: `Appointment Not Known`, `appointment_unknown`.',
  'end-became-known':
    'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09: `Appointed`.',
  'termination-taken-back':
    'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20: `Appointed`.',
  'effective-date':
    'Appointed on 2024-01-01, effective 2015-01-01, and terminated on 2020-06-30; in 2022: `Not Appointed`.',
  'broad-end':
    'An appointment for the line 16, and an import has a termination without a line: `Not Appointed`.',
  'naic-code':
    'An appointment has the organization’s name and a `companyCode` that the organization does not have: `Not Appointed`.',
  'carrier-name':
    'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`: `Appointed`.',
  'writing-company':
    'The organization has two codes, the sale is of the company 19437, and the appointment of 10847: `Not Appointed`.',
  'company-unknown':
    'The sale is of a name that nobody knows, and one of two companies has appointed the agent: `Appointment Not Known`, `company_unknown`.',
  'company-not-named':
    'The sale names no company, and one of two has appointed the agent: `Appointed`, with the warning `company_not_named`.',
  'line-by-name':
    'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16: `Appointed`.',
  'any-of': 'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20: `Appointed`.',
  'license-of': '`licenseOf` is `agency`; an agent without a license: `Not Required`.',
  either: '`appointmentOf` is `either`, and the agency is appointed: `Appointed`.',
  'npn-missing': 'An agency has no NPN and needs one: `License Not Known`, `npn_missing`.',
  'for-cause': 'The appointment ended for cause, where one on binding is enough: `Not Appointed`.',
  'state-not-configured':
    'The product lists Texas; a license of Georgia, in Georgia: `State Not Configured`.',
  'config-in-force':
    'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28: `Not Required`, `configBasis: version`.',
  archived:
    'An agent who is archived in 2026, for a day of 2022: `Licensed`, with the warning `association_of_today`.',
  strictest: 'Of the agency it is not known, and the agent’s license has expired: `Expired License`.',
  basis:
    'A license is listed for the first time on 2026-01-10; on 2026-01-09: `Licensed`, `basis: registry dates`.',
  'each-party':
    'The agency and one of two agents are licensed, the other agent is not: `Missing License`, “Agent 2: No active license in TX.”',
  'strictest-license':
    'The license of one agent has expired, that of the other lacks the line of authority: `Expired License`.',
  'strictest-product':
    'Two products have the name that the policy states, and one requires a line of authority that is missing: `Missing Line of Authority`.',
  'product-unknown':
    'The agency and the agent are licensed, and no product has the name that the policy states: `License Not Known`, `product_unknown`.',
  'unknown-seller':
    'The agency is licensed, and the agent was not found: `License Not Known`, `seller_unknown`, “The agent was not identified.”',
  'seller-not-named':
    'The agency is licensed, and no agent is named: `License Not Known`, `seller_not_named`, “No agent is named: name the agent in the transaction, or have it set that your policies name none.”',
};
