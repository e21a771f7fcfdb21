// How it is decided whether somebody may sell: each rule as the OpenAPI document has it. `test/decision` has the cases of each.

/**
 * The rules by section, in the order of the document, and by the id that reasons, warnings, and receipts name: each in a sentence or
 * two that can be read alone, and a case of it in words, with what is answered.
 */
export const rules = {
  'Reports and files': {
    complete:
      'A report is complete: a license, line, or appointment that it does not name is not there. So is a file with `complete: true`, for each holder and state that it names; any other file says nothing of what it does not name. *Example: A file has an appointment, and a report of 2026-03-02 has none: `Not Appointed`.*',
    'order-of-reports':
      'Reports and files count in the order of the moments at which they were asked for (`askedAt`), whenever they were recorded. On that moment’s day in New York, what they say *became known*; the order of their rows makes no difference. *Example: A report that was asked for on 2026-01-10 is imported after that of 2026-03-10, which does not have its license; on 2026-03-09: `Licensed`.*',
    deleted:
      'A row that a file marks as `isDeleted` never was in what was recorded before. A later report or file may say it again. *Example: A report of 2026-01-10 has a license, and a file of 2026-03-02 deletes it; on 2026-02-01: `Missing License`.*',
    'row-not-understood':
      'A report with a row that cannot be read leaves nothing out, and its other rows count. Until the next one that can be read, anything without a reason against it is `row_not_understood`, not known. *Example: A report has a license, and another row that cannot be read: `License Not Known`, `row_not_understood`.*',
    'npn-not-found':
      'Nothing ends because the registry does not find an NPN. If an earlier report or file had it, the reason is `npn_not_found`, not known. *Example: A report of 2026-01-10 has a license, and on 2026-03-02 the registry does not find the NPN; on 2026-03-10: `License Not Known`, `npn_not_found`.*',
  },
  'When something is in force': {
    'live-row':
      'A live license, line, or appointment is in force from its first day through its last. Without a first day, it begins on the one that is known, else when it became known, and earlier days are not known. *Example: A license without an `issueDate` became known on 2026-03-10; in 2012: `License Not Known`, `license_unknown`.*',
    end: 'A row that is not live is an end: it has ended from its date on, without one from the day on which the end first became known, and at the latest from the day after its last day. What begins on the day of the end or later has not ended. *Example: A license is `Revoked`, with the `statusDate` 2026-05-01; on 2026-04-30: `Licensed`.*',
    'before-end':
      'Before its end, it was in force from its first day on if the end has a date, or if it says that it lapsed and its last day has passed. Otherwise, days of which nothing else is known are not known. *Example: A license of 2015 to 2023 is first seen as `Inactive`, without a date; in 2022: `License Not Known`, `license_unknown`.*',
    'end-on-beginning':
      'An end with the first day of what was live before as its date ends it on the day on which the end became known. The days between are not known. *Example: The appointment of 2025-03-01 is terminated in a report of 2026-03-10, with the same date; on 2026-03-09: `Appointment Not Known`, `appointment_unknown`.*',
    'end-holds':
      'An end holds until the day from which a later live row says that it is live again: its first day or its date, if that is not before the end, or the day of its report. With any other live row, the days from the end on are not known. *Example: A report of 2026-03-01 has a license as `Inactive`, and a file of 2026-03-05 still has it as active; on 2026-03-10: `License Not Known`, `license_unknown`.*',
    'left-out':
      'What a report does not name as live has ended on its day. If it is back in a report within 30 days (if new: of its beginning), it was never gone; in a later one, the days between are not known; in a file, all days since, unless its row has a date since then. *Example: A report of 2026-02-10 does not have a license, that of 2026-03-12 has it again; on 2026-02-20: `Licensed`.*',
    'registry-lag':
      'Registries lag: what a report takes from a file of the 30 days before, or gives back against it, is not known. *Example: A file of 2026-03-09 has an appointment that the report of the next day does not have yet; on 2026-03-10: `Appointment Not Known`, `appointment_unknown`.*',
    replaced:
      'A live row replaces what was said earlier of the days from its first day on, and after its last day. If it moves only the first day, to a later one, the days between the two that are before the earlier one became known are not known. *Example: A report moves the `issueDate` from 2025-03-01 to 2025-06-01; on 2025-04-01: `License Not Known`, `license_unknown`.*',
    'several-rows':
      'Of several rows of the same thing in one report or file that all have a date, each counts until the next one’s. Otherwise, the live ones count, and days that an end would take from them are not known. *Example: Appointed on 2018-01-01, terminated on 2022-01-01, and appointed on 2023-01-01; on 2021-12-31: `Appointed`.*',
    'unclear-end':
      'An end that does not tell class, line, county, or company code ends everything that it may mean, except what its own report or file has as live. If a live row may be about something that ended, it is not known. *Example: An appointment is for the line 16, its termination for none: `Not Appointed`.*',
    'one-thing':
      'Rows are about the same license if state, number, and class agree, and about the same appointment if state, company, line, and county do. Codes decide if both have one, and names if neither has; otherwise an equal name is the same, and with another name it is not known. *Example: A number has the classes `General Lines (Prop & Cas)`, active, and `Life Incl Var Annuity & Health`, `Cancelled` in 2021; the former in 2022: `Licensed`.*',
    spelling:
      'NPNs, FEINs, numbers, codes, and names of lines, classes, and companies are compared by letters and digits alone, ignoring case and leading zeros. Dates are the calendar days that are written. *Example: The number of a license is `0012345`, and a file has `12345` as revoked: `Missing License`.*',
    lines:
      'A line is in force only while its license is. Without a first day, it begins with the license, or, if something earlier has the license, when the line became known. *Example: A report of 2026-03-10 has the line 16 for the first time, without a date; on 2026-03-09: `License Not Known`, `license_unknown`.*',
    'lines-left-out':
      'A line that a live license no longer names is left out, in a file too. But a license without any line in a file says nothing of its lines. *Example: A file of 2026-03-10 does not have the line 16 any more; on that day: `Missing Line of Authority`.*',
    'no-line':
      'A license that ever had lines is in force only while one of them is, even if the product requires none. *Example: The only line of the license is `Inactive`, and the product requires none: `Missing Line of Authority`.*',
  },
  'Words of statuses': {
    'status-words':
      'By the table of words, a status is *live*, *lapsed*, *inactive*, *ended*, or *pending*. Only what is live is in force; *pending* says nothing about any day. *Example: A license that was active becomes `Active/Suspended`: `Missing License`.*',
    'status-unrecognized':
      'With a status that has a word in no table, the days from its date on, else from when it became known, through its last day are `status_unrecognized`, not known. *Example: An appointment of 2020 is `Nullified` on 2026-02-01; on 2026-03-10: `Appointment Not Known`, `status_unrecognized`.*',
    'termination-reason':
      'A `terminationReason` ends a live appointment only if it has a word of *ended* or *lapsed*, or `cause`. *Example: The status is `Appointed`, and `terminationReason` is `Cause`: `Not Appointed`.*',
  },
  'Classes of licenses': {
    'class-kind':
      'The name of its class says what kind a license is, by the table of class words. An operator can import another kind for a state’s class; that of the organization comes before that of everybody. *Example: The license has no class, and an operator imported on 2026-02-01 that such a one is a producer’s: `Licensed`.*',
    'class-wrong':
      'Only licenses of the kind *producer* count; with `licenseClasses`, only those of a class that it names. If only another one is in force, the reason is `license_class_wrong`. *Example: An adjuster’s license has the line that the product requires: `Wrong License Class`.*',
    'class-unrecognized':
      'If only a license of an *unrecognized* kind might do, the reason is `class_unrecognized`, not known. *Example: The class is `Frobnicator`: `License Not Known`, `class_unrecognized`.*',
  },
  'The day, and what is known': {
    'known-at':
      'Reports, files, configs, and kinds of classes that were recorded after `knownAt` do not count. The carrier’s codes, its own word, and matches are those of now. *Example: A report of 2026-03-10 has a license as `Inactive`; on 2026-03-15, with `knownAt` 2026-03-09: `Licensed`.*',
    basis:
      'With `asOf`, `basis` is `history` if all that counts for the day was recorded by its end, and `registry dates` otherwise. Without it, `basis` is `current`. *Example: A license is reported for the first time on 2026-01-10; on 2026-01-09: `Licensed`, `basis: registry dates`.*',
  },
  'The home state': {
    'home-state':
      'A non-resident license counts only while the holder has a resident producer license in force. If all that are known have ended, and a complete report or file said so, the reason is `home_state_license_not_active`. *Example: A report has a license of Georgia, and that of the home state, Kansas, which expired on 2025-12-31: `Home State License Not Active`.*',
    'home-state-unknown':
      'If only other files said that they ended, if none has begun, or if a row that cannot be read or an unrecognized class leaves it open, the reason is `home_state_license_unknown`, not known. If none is known at all, the non-resident one counts, with the warning `home_state_license_unknown`. *Example: A file has a license of Georgia, and that of the home state, Kansas, as `Revoked`: `License Not Known`, `home_state_license_unknown`.*',
    'home-state-ignored':
      'With `homeState: ignored`, nothing is asked about the home state. *Example: `homeState` is `ignored`, and the license of the home state expired: `Licensed`.*',
  },
  'Regulatory actions': {
    order:
      'A regulatory action whose `disposition` is *in force* by the table of dispositions is `regulatory_action_in_force` in its state, even with a live license. It begins on `effectiveDate`, else `dateOfAction`, else `enterDate`, else when it became known. *Example: The disposition is `License, Suspended`, and the license is active: `Regulatory Action`.*',
    'order-length':
      'An action lasts for `lengthOfOrderInDays`; without one, or with 0, for 30 days. *Example: A suspension of 365 days from 2026-02-01 on; on 2027-01-31: `Regulatory Action`.*',
    'order-over':
      'An action is over once a later report does not name it (not known for 30 days after a file that did), or calls it *over*, or once an action in the same state begins later that is *over*, while reports name that. *Example: A report of 2026-03-10 does not have a suspension any more; on that day: `Licensed`.*',
    'order-unknown':
      'An action without a length is `regulatory_action_unknown`, not known, from its 31st through its 365th day. So are, on all their days, a cease and desist order, `License, Terminated`, a disposition with no word in the table, and one that names an order beside words that may undo it. *Example: A revocation of 2026-02-01 has no length; on 2026-03-03, its 31st day: `License Not Known`, `regulatory_action_unknown`.*',
  },
  'Whose appointment counts': {
    'own-codes':
      'An appointment counts if its `companyCode` is a NAIC code that the organization has on that day, or its `ein` one of its EINs. If the organization has neither, the `carrierName` must be its name, apart from punctuation and the usual endings. *Example: Beacon Specialty has neither codes nor EINs, and the `carrierName` is `BEACON SPECIALTY INS. CO.`: `Appointed`.*',
    'product-codes':
      'If a product, or its state in the config, has `carrierNaicCodes`, appointments with those codes count instead. *Example: The product names the company 22667, and the appointment has the organization’s code: `Not Appointed`.*',
    'writing-company':
      'For a sale that names its company by `carrierNaicCode`, else by `carrierName`, only appointments of that company count. *Example: The organization has two codes, the sale names 19437, and the appointment has 10847: `Not Appointed`.*',
    'company-unknown':
      'If that company is none of those that count, the reason is `company_unknown`, not known. So it is if several count, not all have appointed the party, and the name does not tell which it is; or if only an appointment without a code would do. *Example: The organization has one code, and the sale names another one, 99999: `Appointment Not Known`, `company_unknown`.*',
    'company-not-named':
      'If a sale names no company, an appointment of any that counts will do, with the warning `company_not_named` unless all have appointed the party. With `appointmentBy: group`, any will do, whichever of them is named. *Example: The sale names no company, and one of two has appointed the agent: `Appointed`, with the warning `company_not_named`.*',
    'all-lines':
      'An appointment without a line is for all lines. If one line of it ends, it is not known whether it is still for that line. *Example: An appointment is for all lines, and the line 16 is terminated on 2026-02-01; on 2026-03-10: `Appointment Not Known`, `appointment_unknown`.*',
    'renewal-date':
      'An appointment does not end on its `renewalDate`. Once that has passed, there is the warning `renewal_date_passed`. *Example: The `renewalDate` of an appointment was 2026-02-28; on 2026-03-01: `Appointed`, with the warning `renewal_date_passed`.*',
  },
  'What a product requires': {
    'each-line':
      'Each entry of `linesOfAuthority` must be met, by the code or name of a line, by a license (`line_missing`) and, if required, by an appointment; of `anyOf`, one is enough. Different ones may meet different entries. *Example: The lines 16 and 20 are required, of which two licenses and two appointments have one each: `Appointed`.*',
    'other-lines':
      '`appointmentLinesOfAuthority` says which lines appointments must be for instead. `agency` says which lines and classes the agency needs instead. *Example: The class 0220 is required of licenses, the line 0220 of appointments, and the appointment is for 0216: `Not Appointed`.*',
    'further-licenses':
      'Each of `furtherLicenses` must be met by one license of the seller or the agency; otherwise, the reason is `further_license_missing`. *Example: A surplus lines license is required too, and the agent has none: `Missing License`.*',
    'who-needs-it':
      '`licenseOf` and `appointmentOf` say who needs a license and an appointment: the agency, the agent, or by default both; for anybody else, it is `Not Required`. With `appointmentOf: either`, one of them is enough; if neither has it, the agent’s reasons are given. *Example: `licenseOf` is `agency`; an agent without a license: `Not Required`.*',
    'party-missing':
      'A sale without an agent or agency of whom something is asked is `seller_not_named` or `agency_unknown`, not known. *Example: `licenseOf` is `agent`, and no agent is there: `License Not Known`, `seller_not_named`.*',
    'npn-missing':
      'An agency without an NPN is `npn_missing`, not known. But if its `isNpnRequired` is false, nothing is asked of it. *Example: An agency has no NPN and needs one: `License Not Known`, `npn_missing`.*',
    'state-not-configured':
      'In a state that the config does not list, `otherStates` says what is required. Without it, nobody may sell there: `state_not_configured`. *Example: The product lists Texas; a license of Georgia, in Georgia: `State Not Configured`.*',
    'config-in-force':
      'A day is judged by the config that is in force on it by `validFrom`. A day before the first one is judged by the first, and `configBasis` is `first version` instead of `version`. *Example: From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28: `Not Required`, `configBasis: version`.*',
  },
  'The carrier’s own word': {
    authority:
      'An agent with `authority` for the product may sell it only in its `approvedStates`; otherwise, the reason is `authority_missing`. With `authority: required`, every agent needs it; with `ignored`, none. *Example: The agent’s `authority` for the product names the state: `Licensed`.*',
    archived:
      'An archived agent may not sell: `seller_archived`. Like `authority`, this counts from today on, in sale checks, lists of sellers, and the present status of policies. *Example: The agent is archived: `Licensed`, `seller_archived`.*',
    association:
      'Sale checks and lists of sellers ask for an active association with the agency, with the agent in it: `association_not_active`, `not_associated`. In policies and sales, and for earlier days, that is only the warning `association_of_today`. *Example: The association with the agency is not active: `Licensed`, `association_not_active`.*',
  },
  'Appointment on binding': {
    'on-binding':
      'Where `appointment` is `on binding`, a missing appointment is `Appointment on Binding`, which is compliant until it is overdue. *Example: There is no appointment: `Appointment on Binding`.*',
    'appointment-overdue':
      'It is due `appointWithinDays` after the party’s first sale in the state without an appointment, since there last was one; without that number, never. From the day after until there is one, the reason is `appointment_overdue`. *Example: The carrier appoints within 30 days, and the first sale was on 2026-02-01; on 2026-03-03: `Appointment on Binding`.*',
    'appointment-late':
      'A sale is compliant if the appointment was there by the day on which it was due, or if it is not due yet. Otherwise, the reason is `appointment_late`, for good. *Example: A sale of 2026-02-01, with 30 days to appoint, is looked at on 2026-03-03: `Appointment on Binding`.*',
    'for-cause':
      'If the last end in the state, of the carrier or of what is asked, is for cause, or repeated without that, the reason is `terminated_for_cause` instead: its status or `terminationReason` has `avfs`, or `cause` that it does not deny. *Example: An appointment ended with the reason `Terminated for Cause`: `Not Appointed`.*',
  },
  Answers: {
    verdict:
      'A party with a reason against is a no, one with only reasons not known is unknown, and one without reasons is a yes. A sale is a no if one of its parties is, else unknown if one is. *Example: Of the agency it is not known, and the agent’s license has expired: `Expired License`.*',
    expired:
      'If the last day of a license that would count has passed, and no status ended it but *lapsed* or *inactive*, the reason is `license_expired`. *Example: The last day of a license was 2026-02-28; on 2026-03-10: `Expired License`, “The license in TX expired on 2026-02-28.”*',
    missing:
      'If a license that would count begins only after the day, the reason is `license_not_begun`. If no other reason fits, it is `license_missing`. *Example: The license begins on 2026-04-01; on 2026-03-10: `Missing License`.*',
    'not-appointed':
      'If an appointment that would do was in force before the day, the reason is `appointment_ended`. Otherwise, it is `appointment_missing`. *Example: An appointment was in force until 2026-01-31: `Not Appointed`.*',
    'not-known':
      'If nothing that is in force would do, but something that is not known on the day might, the reason is `license_unknown` or `appointment_unknown`, not known. *Example: A license is first reported on 2026-03-20, as `Inactive`; on 2026-03-10: `License Not Known`, `license_unknown`.*',
    'not-verified':
      'If the organization has `verifiedWithinDays`, a party whose last complete report is older, or who has none, is `not_verified`, not known, in sale checks and lists of sellers. *Example: Reports must not be older than 30 days, and the last one was 31 days before: `License Not Known`, `not_verified`.*',
    'continuing-education':
      'Continuing education changes no answer. If a line that counts is not in compliance, there is the warning `ce_not_in_compliance`. *Example: The line 16 is not in compliance with continuing education: `Licensed`, with the warning `ce_not_in_compliance`.*',
  },
  Policies: {
    'policy-parties':
      'The present status of a policy is about its agency and the agents who are still there; `atEffectiveDate` and `atSale` are about who sold its latest New or Renewal. *Example: The agency and one of two agents are licensed, the other agent is not: `Missing License`, “Agent 2: No active license in TX.”*',
    strictest:
      'The license status and the appointment status of a policy or sale are the strictest of its parties’, by the table of statuses. *Example: The license of one agent has expired, that of the other lacks the line of authority: `Expired License`.*',
    'strictest-product':
      'If several products have the name that a policy has, the strictest answer counts, and its message names them. *Example: Two products have the name that the policy has, and one requires a line of authority that is missing: `Missing Line of Authority`.*',
    'not-identified':
      'Who or what is named and not found is `seller_unknown`, `agency_unknown`, or `product_unknown`, and if several fit, `ambiguous`: not known. *Example: The agency is licensed, and the agent was not found: `License Not Known`, `seller_unknown`, “The agent was not identified.”*',
    'seller-not-named':
      'A policy that names no agent, or none who is still there, is `seller_not_named`, not known, unless the organization has `policiesNameAgents: false`. *Example: The agency is licensed, and no agent is named: `License Not Known`, `seller_not_named`, “No agent of the agency is named: name one in the transaction, or have it set that your policies name none.”*',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Sections = typeof rules;

export type RuleId = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections];
