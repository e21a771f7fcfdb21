import type { CommandName } from '../../functions/admin/commands.ts';
import type { ImportCommandName } from '../../functions/import/commands.ts';

/** Names of the commands as operators call them. */
export type OperatorCommand =
  | Exclude<CommandName, 'announce-completion-artifact'>
  | ImportCommandName
  | 'import';

/**
 * What each command does, in the order of the help. `announce-completion-artifact` is the program's own, in
 * `add-completion-artifact`.
 */
export const descriptions: Readonly<Record<OperatorCommand, string>> = {
  'create-organization': 'Creates an organization, by default with all features and an active subscription.',
  'update-organization': 'Changes the given fields of an organization; a list is replaced as a whole.',
  'find-organization': 'Finds organizations by a part of their names.',
  'create-api-client': 'Creates client credentials, whose secret is shown only here.',
  'create-restricted-access-token':
    'Creates a token that is admitted from these addresses alone, and is shown only here.',
  'list-credentials':
    'Lists the API clients and restricted access tokens of an organization, without secrets.',
  'revoke-credential':
    'Revokes an API client or a restricted access token, named by its id or by the token, within a minute.',
  import: 'Imports a file of records; "Import" in functions/admin/README.md describes what files may have.',
  rematch: 'Matches again the transactions and the policies whose agency, agents, or product are not known.',
  'confirm-match':
    'Records what a person decided about a transaction: its agency, its agents, its product, or all as found.',
  'check-config':
    'Finds the codes, names, classes, and companies that a product requires and no license or appointment held there carries.',
  'list-unread': 'Lists the rows of reports that cannot be read, and the words that are not recognized.',
  'set-filing-status': 'Changes the status of a filing.',
  'open-escalation': 'Opens an escalation on a checklist item, which customers see unless it is private.',
  'message-escalation': 'Adds a message to an open escalation, which then waits for the customer.',
  'resolve-escalation': 'Resolves an open escalation.',
  'add-completion-artifact': 'Uploads a file, and adds it to a filing, which needs one to become completed.',
  'set-license-request-status': 'Moves a license request to in review, and then to approved or rejected.',
  'redeem-one-time-link': 'Redeems the token of an invitation or a sign-in link, once.',
  'activate-association': 'Makes an association active, because the agency agreed to it in another way.',
  'execute-contract': 'Signs the contract of an association for one party or, by default, for both.',
  'run-license-sweep':
    'Reports licenses that expire, those of missed days first, as of now or another time; counts licenses at a boundary and their events, by organization too.',
  'run-registry-reconciliation':
    'Visits the registry for every NPN, as of now or another time, as a night does; counts what changed, by organization too.',
  'request-visits':
    'Has NPNs, such as those of the registry’s alerts, visited first in the next night, but for never verified ones.',
  'set-registry-record': 'Sets what the simulated registry reports for an NPN, list by list.',
  redrive: 'Moves the messages of a dead-letter queue back to their queue.',
};
