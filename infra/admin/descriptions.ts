import {
  type CommandName,
  mostVerifiedWithinDays,
  usualPlanCeiling,
} from '../../functions/admin/commands.ts';
import { earliestAsOfDays } from '../../functions/admin/invoke.ts';
import type { ImportCommandName } from '../../functions/import/commands.ts';
import { largestFile } from '../../shared/domain/file-documents/content.ts';
import { writtenKeptDays } from '../../shared/domain/registry-records/set-aside.ts';
import { MB } from '../../shared/platform/aws/limits.ts';
import { usesKeptDays } from '../../shared/platform/identity/credentials.ts';
import { mostShown } from './import-file.ts';

/** What the schema of a command's input does not say of it. */
interface Description {
  /** What the command does and prints. */
  readonly text: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const organizationId = '65f0c1d2e3a4b5c6d7e8f901';
const filingId = '65f0c1d2e3a4b5c6d7e8f902';
const item = { filingId, sourceCategoryId: 'documents', sourceTaskId: 'signed-affidavit' };
const asOfLimits = `\`asOf\` must not be more than ${earliestAsOfDays} days ago or, except in the local run, in the future.`;

/** Names of the commands as operators call them. */
export type OperatorCommand =
  | Exclude<CommandName, 'announce-completion-artifact'>
  | Exclude<ImportCommandName, 'complete-import'>
  | 'import';

/**
 * Every command, in the order of the page. `announce-completion-artifact` is the program's own, in `add-completion-artifact`, and
 * `complete-import` in `import`.
 */
export const descriptions: Readonly<Record<OperatorCommand, Description>> = {
  'create-organization': {
    text: `Creates an organization with all features, \`sandbox\` only where customers rehearse, an active subscription, and a plan of ${usualPlanCeiling} agencies by default. Appointments with one of a carrier’s \`naicCodes\` or \`eins\` are its own; if it has neither, its name decides. Prints \`{organizationId}\`, and \`notes\` on other organizations that have the name.`,
    example: { name: 'Acme', category: 'upstreamEntity', naicCodes: ['19437'] },
  },
  'update-organization': {
    text: `Changes the given fields; a list is replaced as a whole. Takes effect within a minute. If a carrier’s \`name\`, \`naicCodes\`, or \`eins\` are given, the compliance of all its producers and agencies is checked again, and changes are sent. Agencies see a new name at once; if the command fails, repeat it. With \`policiesNameAgents\` false, a policy that names no agent is judged by its agency alone; by default, it is not known who sold it. With \`verifiedWithinDays\`, 1 to ${mostVerifiedWithinDays}, sale checks answer \`unknown\` where the registry has not confirmed licenses and appointments within so many days; null, the default, takes any. Prints the organization, and \`notes\` on other organizations that have the new name.`,
    example: { organizationId, subscription: 'inactive' },
  },
  'check-config': {
    text: 'Finds what a product requires today and nobody can have: codes of lines of authority, and classes of licenses, that no license or appointment that the organization holds in that state carries, such as a code of another state or a misspelled class. Prints `{productId, productName, validFrom, notCarried, named}`, with `stateCode`, `linesOfAuthority`, and `licenseClasses` of each state; a null `stateCode` is for the states that the config does not list. `named` has the codes that are carried, each with the `name` of its line in the first record that has it: one that was copied from another state may be another line there.',
    example: { organizationId, productId: '65f0c1d2e3a4b5c6d7e8f905' },
  },
  'list-unread': {
    text: `Lists what is not understood of an organization’s licenses and appointments. Prints \`{setAside, unrecognized}\`: rows of the registry or of imports that cannot be read, as long as they are set aside, the first 500, each with the \`faults\` (fields), and what was \`written\`, which is kept for ${writtenKeptDays} days; and classes and statuses that are not recognized, with the \`count\` of licenses or appointments that have them. \`answerWith\` says what makes them good.`,
    example: { organizationId },
  },
  'find-organization': {
    text: 'Finds organizations by a part of their names, ignoring case. Prints `{organizations}`, each with `organizationId`, `name`, `category`, `features`, and `subscription`.',
    example: { name: 'acme' },
  },
  'list-credentials': {
    text: `Lists the API clients and restricted access tokens of an organization, including revoked ones, oldest first. Prints \`{credentials}\`, each with its \`kind\`, its \`clientId\` or \`tokenId\`, \`name\`, \`createdAt\`, \`lastUsedAt\`, \`revokedAt\` if it is revoked, and the \`ipAddresses\` of a token; no secret. Of each day (UTC) the first use is recorded, of an API client when its secret is exchanged, of a token with a request that is admitted: \`lastUsedAt\` is the first use on the last day with any; null: none in ${usesKeptDays} days.`,
    example: { organizationId },
  },
  'create-api-client': {
    text: 'Creates client credentials. Prints `{clientId, clientSecret}`; the secret is shown only here.',
    example: { organizationId, name: 'nightly job' },
  },
  'create-restricted-access-token': {
    text: 'Creates a restricted access token. `ipAddresses` lists exact addresses; an empty list allows no address. Prints `{tokenId, token}`; the token is shown only here.',
    example: { organizationId, name: 'office', ipAddresses: ['198.51.100.7'] },
  },
  'revoke-credential': {
    text: 'Revokes an API client by its `clientId`, or a restricted access token by its `tokenId` or, if its value leaked, by that value, `token`; give exactly one of them. Takes effect within a minute. Prints `{revoked: true, organizationId, organizationName, name}` with the `clientId` or `tokenId`: whose it was.',
    example: { clientId: 'client_6f0c1d2e3a4b5c6d7e8f9012' },
  },
  import: {
    text: `Imports an NDJSON file; with \`mapping\`, a table; or with \`askedAt\` the registry’s reports in XML; see "Import" in functions/admin/README.md. Prints \`{imported, setAside, rejected, ids, matched, review, unmatched}\`: the number of imported lines, that of lines of licenses and appointments that cannot be read and are set aside, if there are any, the line and the issues of each record that was not imported, the line and the id of each record that was, in this import or an earlier one, and how many of the imported policy transactions have an agency that is matched, waits for a review, or is not found; and \`notes\`, each with \`line\`, \`code\`, \`message\`, and \`count\`, on imported lines that mean less than it seems: see "Notes" there. A note on several lines has the \`line\` null and how many there are. Each list has at most ${mostShown.toLocaleString('en')} entries, and \`rejectedOmitted\`, \`idsOmitted\`, and \`notesOmitted\` say how many more there are. With \`idsFile\`, all ids are written to that file instead, one per line. With \`rejectedFile\`, all rejected lines are written to that file as they are: correct them there, and import it. With \`complete\`, what the file leaves out of the lists named there ends; see "Complete lists" there. \`complete\` of the answer has for each list how many were in force (\`live\`), and how many of them ended; a file that would end more than ten and more than a tenth of them, in a list or in all of them, is refused with \`conflict\` before anything is imported, unless \`force\` is true. With \`dryRun\`, calls nothing, and prints \`{records, counts, rejected}\`: see "Dry runs" there.`,
    example: { organizationId, file: 'policies.ndjson' },
  },
  rematch: {
    text: 'Matches again the policy transactions whose agency or agents are `unmatched` or wait for a `manual review`, and the policies whose product is not known; and resolves again the sales of which the agency, the agents, or the product is not known or not named, also by transactions that were imported since and dated earlier: for use after agencies, producers, licenses, or compliance configs were added or corrected. Sends one call after another until all are done, so their number has no limit. Prints `{matched, review, unmatched, withoutTransactions}`: how many of the transactions whose agency was not known have each status now; and how many policies whose agency is not known were left out because they have no `policy-transaction`, since only transactions are matched.',
    example: { organizationId },
  },
  'confirm-match': {
    text: 'Records as `user confirmed` what a person decided about a policy transaction: the association of its agency, its agents, or the product of its policy. Without any of them, what was found is confirmed. Later imports and `rematch` keep it. Prints the transaction.',
    example: {
      organizationId,
      transactionId: '65f0c1d2e3a4b5c6d7e8f902',
      downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
    },
  },
  },
  'set-filing-status': {
    text: 'Changes the status of a filing. Prints the filing as its customer sees it.',
    example: { filingId, status: 'in progress' },
  },
  'open-escalation': {
    text: 'Opens an escalation on a checklist item. `category` is `public` by default and cannot be changed later; customers do not see `private` ones. Prints the filing.',
    example: { ...item, body: 'Please sign.' },
  },
  'message-escalation': {
    text: 'Adds a message from the service to an open escalation, which then waits for the customer. Prints the filing.',
    example: { ...item, body: 'A reminder.' },
  },
  'resolve-escalation': { text: 'Resolves an open escalation. Prints the filing.', example: item },
  'add-completion-artifact': {
    text: `Uploads a file of up to ${largestFile / MB} MB to the bucket and adds it to the filing. A name that does not end with an extension of the file’s type gets one. A filing needs an artifact to become \`completed\`. Prints the filing.`,
    example: { filingId, type: 'accepted stamped', file: 'stamped.pdf' },
  },
  'set-license-request-status': {
    text: 'Moves a license request from `submitted` to `in review`, then to `approved` or `rejected`. Prints the request.',
    example: { licenseRequestId: '65f0c1d2e3a4b5c6d7e8f903', status: 'in review' },
  },
  'redeem-one-time-link': {
    text: 'Redeems the token of an invitation or sign-in link, once, as the function `link-redemption` does for the agencies’ application. Redeeming an invitation of a shared agency counts as the agency’s agreement only if `organizationId` is the agency’s organization or, if it has none, `verifiedEmail` is the address of a confirmed contact; see "Rules" in functions/admin/README.md. Otherwise nothing changes, `agreed` is false, and the link can still be redeemed. Prints the purpose of the link, the association, the email address of the contact whom the link signs in, or null, and for an invitation `agreed`.',
    example: { token: 'UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE' },
  },
  'activate-association': {
    text: 'Makes an association active, because the agency agreed to it in another way; see "Rules" in functions/admin/README.md. Prints the association.',
    example: { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
  },
  'execute-contract': {
    text: 'Signs the contract of an association for one party, or by default for both. The agency’s signature makes an `invited` association active. When both have signed, `CONTRACT_SIGNED` and `PRODUCER_AGREEMENT_EXECUTED` are emitted. There is one contract for each association and template; the template defaults to that of the invitation. `signedFileDocumentId` is a file document of the carrier that contains the signed contract, such as its `Producer Agreement` for the association; it counts with the signature that it is given with, and both events carry it. Prints the contract.',
    example: { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
  },
  'run-license-sweep': {
    text: `Sweeps for expiring and expired licenses, as of now or of the given time or date in New York. Sweeps missed days first: every day since the first one swept that no sweep has completed, including days between completed ones. ${asOfLimits} Prints counts.`,
    example: { asOf: '2026-03-01' },
  },
  'run-registry-reconciliation': {
    text: `Polls the registry for the NPNs that are due: where it keeps lists of changes, as the simulated one does, those that changed, were never polled, or were not for longest, within the environment’s calls a night, and otherwise every NPN that any organization subscribes to. Brings its subscribers’ licenses, appointments, and regulatory actions up to date, as of now or of the given time or date in New York. ${asOfLimits} It keeps to the environment’s polls per second and runs for at most five minutes; for more NPNs, see "Overdue NPNs" in infra/runbook.md. Prints counts.`,
    example: {},
  },
  'set-registry-record': {
    text: 'Sets what the simulated registry reports for an NPN; each given list replaces the simulated one. The daily reconciliation brings licenses and appointments up to date only with lists that were set, and leaves imported ones alone otherwise. Fails with `conflict` if the registry is not simulated. Prints the record.',
    example: { npn: '17654321', record: { regulatoryActions: [] } },
  },
  redrive: {
    text: 'Moves the messages of a dead-letter queue back to their queue. Prints `{moved}`.',
    example: { queue: 'registry-sync' },
  },
};
