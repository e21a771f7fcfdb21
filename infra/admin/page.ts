import * as z from 'zod/mini';
import { type CommandName, inputOf } from '../../functions/admin/commands.ts';
import { importChunk } from '../../functions/import/import-records.ts';
import { withSection } from '../marked-section.ts';

/** Documentation of a command. */
interface Description {
  /** What the command does and prints. */
  readonly text: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** For commands that take a file: what the file is, and the fields that the program derives from it. */
  readonly file?: { readonly is: string; readonly replaces: readonly string[] };
}

const organizationId = '65f0c1d2e3a4b5c6d7e8f901';
const filingId = '65f0c1d2e3a4b5c6d7e8f902';
const item = { filingId, sourceCategoryId: 'documents', sourceTaskId: 'signed-affidavit' };

/** Every command, in the order of the page. Operators do not use `announce-completion-artifact`, which the program sends. */
export const descriptions: Readonly<
  Record<Exclude<CommandName, 'announce-completion-artifact'> | 'import', Description>
> = {
  'create-organization': {
    text: 'Creates an organization with all features, an active subscription, and a plan of 100 agencies by default. Appointments with one of a carrier’s `naicCodes` or `eins` are its own; if it has neither, its name decides. Prints `{organizationId}`.',
    example: { name: 'Acme', category: 'upstreamEntity', naicCodes: ['19437'] },
  },
  'update-organization': {
    text: 'Changes the given fields; a list is replaced as a whole. Takes effect within a minute. If a carrier’s `naicCodes` or `eins` are given, the compliance of all its producers and agencies is checked again, and changes are sent. Prints the organization.',
    example: { organizationId, subscription: 'inactive' },
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
    text: 'Revokes an API client or a restricted access token; give exactly one of the two ids. Takes effect within a minute. Prints `{revoked: true}`.',
    example: { clientId: 'client_6f0c1d2e3a4b5c6d7e8f9012' },
  },
  import: {
    text: 'Imports an NDJSON file; see [Import](#import). Prints `{imported, rejected}`, where `rejected` lists the line and the issues of each record that was not imported.',
    example: { organizationId, file: 'policies.ndjson' },
    file: { is: 'path of the NDJSON file', replaces: ['firstLine', 'lines'] },
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
  'resolve-escalation': {
    text: 'Resolves an open escalation. Prints the filing.',
    example: item,
  },
  'add-completion-artifact': {
    text: 'Uploads a file of up to 10 MB to the bucket and adds it to the filing. A name that does not end with an extension of the file’s type gets one. A filing needs an artifact to become `completed`. Prints the filing.',
    example: { filingId, type: 'accepted stamped', file: 'stamped.pdf' },
    file: { is: 'path of the file', replaces: ['fileDocumentId'] },
  },
  'set-license-request-status': {
    text: 'Moves a license request from `submitted` to `in review`, then to `approved` or `rejected`. Prints the request.',
    example: { organizationId, licenseRequestId: '65f0c1d2e3a4b5c6d7e8f903', status: 'in review' },
  },
  'redeem-one-time-link': {
    text: 'Redeems the token of an invitation or sign-in link, once, as the function `link-redemption` does for the agencies’ application. An invitation makes its association active and confirms its contact. Prints the purpose of the link, the association, and the email address of the contact.',
    example: { token: 'UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE' },
  },
  'activate-association': {
    text: 'Makes an association active, because the agency agreed to it in another way; see [Rules](#rules). Prints the association.',
    example: { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
  },
  'execute-contract': {
    text: 'Signs the contract of an association for one party, or by default for both. The agency’s signature makes an `invited` association active. When both have signed, `CONTRACT_SIGNED` and `PRODUCER_AGREEMENT_EXECUTED` are emitted. There is one contract for each association and template; the template defaults to that of the invitation. `signedFileDocumentId` is a file document of the carrier that contains the signed contract, such as its `Producer Agreement` for the association; it counts with the signature that it is given with, and both events carry it. Prints the contract.',
    example: { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
  },
  'run-license-sweep': {
    text: 'Sweeps for expiring and expired licenses, as of now or of the given time or date in New York. Sweeps missed days first: every day since the first one swept that no sweep has completed, also between days that were. `asOf` must not be in the future, except in the local run. Prints counts.',
    example: { asOf: '2026-03-01' },
  },
  'run-registry-reconciliation': {
    text: 'Visits the registry once for each NPN that any organization subscribes to, and brings its subscribers’ licenses, appointments, and regulatory actions up to date, as of now or of the given time or date in New York. `asOf` must not be in the future, except in the local run. It keeps to the environment’s visits per second and runs for at most five minutes; for more NPNs, see the runbook. Prints counts.',
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

/** The schema of a command's input. */
export const schemaOf = (name: keyof typeof descriptions): z.core.$ZodType =>
  name === 'import' ? importChunk : inputOf(name);

const property = z.looseObject({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  anyOf: z.optional(z.array(z.unknown())),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  $ref: z.optional(z.string()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  pattern: z.optional(z.string()),
  format: z.optional(z.string()),
});

const inputSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z._default(z.array(z.string()), []),
  $defs: z._default(z.record(z.string(), z.unknown()), {}),
});

const names = Object.keys(descriptions) as (keyof typeof descriptions)[];

function sectionOf(name: keyof typeof descriptions): string {
  const { text, example, file } = descriptions[name];
  const json = z.toJSONSchema(schemaOf(name), {
    io: 'input',
    unrepresentable: 'any',
  });
  const { properties, required, $defs } = z.parse(inputSchema, json);
  const rows = Object.entries(properties)
    .filter(([field]) => file?.replaces.includes(field) !== true)
    .map(([field, schema]) => [field, kindOf(schema, $defs), required.includes(field) ? 'yes' : '']);
  if (file !== undefined) rows.push(['file', file.is, 'yes']);
  const table = ['| Field | Value | Required |', '|---|---|---|', ...rows.map(rowOf)];
  return [
    `### \`${name}\``,
    text,
    `\`\`\`sh\nnpm run --silent admin -- ${name} '${JSON.stringify(example)}'\n\`\`\``,
    table.join('\n'),
  ].join('\n\n');
}

const rowOf = ([field, kind, required]: readonly string[]): string =>
  `| \`${field}\` | ${kind} | ${required} |`.replace('|  |', '| |');

/** Describes the values of a field in a few words. */
function kindOf(schema: unknown, defs: Readonly<Record<string, unknown>>): string {
  const given = z.parse(property, schema);
  if (given.$ref !== undefined) return kindOf(defs[given.$ref.slice('#/$defs/'.length)], defs);
  if (given.enum !== undefined) return given.enum.map((value) => `\`${value}\``).join(', ');
  if (given.anyOf !== undefined) {
    return [...new Set(given.anyOf.map((alternative) => kindOf(alternative, defs)))].join(' or ');
  }
  if (given.type === 'array') return `list of ${kindOf(given.items, defs)}`;
  if (given.type === 'string') return stringOf(given);
  if (given.type === 'integer') {
    const range = given.minimum === undefined ? '' : `, at least ${given.minimum}`;
    return `integer${range}`;
  }
  if (given.properties !== undefined) {
    const fields = Object.keys(given.properties).map((field) => `\`${field}\``);
    return `object with any of ${fields.join(', ')}`;
  }
  return given.type ?? 'any value';
}

const formats: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'time (ISO 8601)',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
};

function stringOf({ pattern, format, minLength, maxLength }: z.output<typeof property>): string {
  if (format !== undefined) return formats[format] ?? format;
  if (pattern === '^[0-9a-fA-F]{24}$') return 'id';
  if (pattern !== undefined) return `string matching \`${pattern}\``;
  if (maxLength === undefined) return 'string';
  return `string of ${minLength ?? 0} to ${maxLength.toLocaleString('en-US')} characters`;
}

/**
 * Writes the existing commands into the section "commands" of the operators' page.
 * @throws Error if the page has no such section.
 */
export const withCommands = (page: string): string =>
  withSection(page, 'commands', names.map(sectionOf).join('\n\n'));
