import * as z from 'zod/mini';
import { validFrom as day } from '#domain/decision/compliance-config.ts';
import { fileTypeNames, largestFile } from '#domain/file-documents/content.ts';
import { artifactTypes, filingStatuses } from '#domain/filings/resource.ts';
import { ein, naicCode, npn } from '#domain/identifiers/identifiers.ts';
import { licenseRequestStatuses } from '#domain/licensing/requests.ts';
import { redemptionInput } from '#domain/one-time-links/store.ts';
import { workedQueues } from '#function/uses.ts';
import { invalid, invalidAt } from '#platform/contract/errors.ts';
import { count, multiline, objectId, textUpTo } from '#platform/contract/primitives.ts';
import { features, organizationCategories } from '#platform/contract/route.ts';
import { canonicalAddress } from '#platform/identity/organizations.ts';
import { parseInput, parseWritten } from '#platform/request/validation.ts';
import { contractExecution } from './contracts.ts';
import { asOfInput } from './invoke.ts';
import { registryRecordInput } from './simulated-registry.ts';
import type { CommandSources } from './sources.ts';

/** An operator command: its input and what it does. The result is one JSON object. */
interface Command<Input extends z.core.$ZodType> {
  readonly input: Input;
  /** A sentence about what the command takes away, or whom it locks out; undefined where it does neither. */
  readonly effect?: (input: z.output<Input>) => string | undefined;
  readonly run: (input: z.output<Input>, sources: CommandSources) => Promise<object>;
}

/** Ties a command's work to the type of its input; behind the table the types of all inputs are one. */
const command = <Input extends z.core.$ZodType>({ input, effect, run }: Command<Input>) => ({
  input: input as z.core.$ZodType,
  effectOf(value: unknown): string | undefined {
    const { success, data } = z.safeParse(input, value);
    return success ? effect?.(data) : undefined;
  },
  run: (value: unknown, sources: CommandSources): Promise<object> => run(parseWritten(input, value), sources),
});

const name = textUpTo(200);

/** An exact address in the spelling in which addresses are compared, so that an operator sees which ones are the same. */
const ipAddress = z.union([z.ipv4(), z.ipv6()], 'must be an IPv4 or IPv6 address').check(
  z.refine((address) => canonicalAddress(address) === address, {
    error: (issue) => `must be written ${canonicalAddress(String(issue.input))}`,
  }),
);

/** Insurers of one group, with room. */
const mostIdentifiers = 100;

/** Addresses that a token admits, at most. */
const mostAddresses = 100;

/** Associated agencies of a carrier at most, unless its operator says otherwise. */
export const usualPlanCeiling = 100;

/** NPNs that one call has visited. */
export const mostVisitsRequested = 1_000;

/** The longest that a carrier may let a confirmation by the registry be ago. */
const mostVerifiedWithinDays = 365;

/** A NAIC code, or one that counts from a day, until a day, or both. */
const companyCode = z.union([
  naicCode,
  z.strictObject({ code: naicCode, from: z.optional(day), until: z.optional(day) }).check(
    z.refine(({ from, until }) => from === undefined || until === undefined || from <= until, {
      error: 'must not be before `from`',
      path: ['until'],
    }),
  ),
]);

const organizationSettings = {
  features: z.optional(z.array(z.enum(features))),
  subscription: z.optional(z.enum(['active', 'inactive'])),
  planCeiling: z.optional(count),
  naicCodes: z.optional(z.array(companyCode).check(z.maxLength(mostIdentifiers))),
  eins: z.optional(z.array(ein).check(z.maxLength(mostIdentifiers))),
};

/** A checklist item, by its two ids in the filing's checklist. */
const checklistItemKey = { filingId: objectId, sourceCategoryId: z.string(), sourceTaskId: z.string() };

const messageBody = multiline(textUpTo(5_000));

const commands = {
  'create-organization': command({
    input: z.strictObject({ name, category: z.enum(organizationCategories), ...organizationSettings }),
    run: async (input, { defaultFeatures, organizations }) => {
      const { organizationId } = await organizations.create({
        ...input,
        features: input.features ?? defaultFeatures,
        subscription: input.subscription ?? 'active',
        planCeiling: input.planCeiling ?? usualPlanCeiling,
      });
      return { organizationId };
    },
  }),
  'update-organization': command({
    input: z.strictObject({
      organizationId: objectId,
      name: z.optional(name),
      ...organizationSettings,
      policiesNameAgents: z.optional(z.boolean()),
      verifiedWithinDays: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(mostVerifiedWithinDays)))),
    }),
    effect: ({ organizationId, features: remainingFeatures, subscription }) => {
      if (subscription === 'inactive') return `Locks out the organization ${organizationId} within a minute.`;
      return (
        remainingFeatures &&
        `Leaves the organization ${organizationId} these features alone: ${remainingFeatures.join(', ') || 'none'}.`
      );
    },
    run: ({ organizationId, ...change }, { updateOrganization }) =>
      updateOrganization(organizationId, change),
  }),
  'check-config': command({
    input: z.strictObject({ organizationId: objectId, productId: objectId }),
    run: ({ organizationId, productId }, { checkConfig }) => checkConfig(organizationId, productId),
  }),
  'list-unread': command({
    input: z.strictObject({ organizationId: objectId }),
    run: ({ organizationId }, { listUnread }) => listUnread(organizationId),
  }),
  'find-organization': command({
    input: z.strictObject({ name }),
    run: async (input, { organizations }) => ({ organizations: await organizations.byName(input.name) }),
  }),
  'list-credentials': command({
    input: z.strictObject({ organizationId: objectId }),
    run: async ({ organizationId }, { organizations }) => ({
      credentials: await organizations.credentialsOf(organizationId),
    }),
  }),
  'create-api-client': command({
    input: z.strictObject({ organizationId: objectId, name }),
    run: (input, { organizations }) => organizations.createClient(input.organizationId, input.name),
  }),
  'create-restricted-access-token': command({
    input: z.strictObject({
      organizationId: objectId,
      name,
      ipAddresses: z.array(ipAddress).check(z.maxLength(mostAddresses)),
    }),
    run: (input, { organizations }) =>
      organizations.createToken(input.organizationId, input.name, input.ipAddresses),
  }),
  'revoke-credential': command({
    input: z.strictObject({
      clientId: z.optional(z.string()),
      tokenId: z.optional(objectId),
      token: z.optional(z.string()),
    }),
    effect: ({ clientId, tokenId = 'that is given' }) =>
      `Locks out whoever uses the credential ${clientId ?? tokenId} within a minute, for good.`,
    run: async ({ clientId, tokenId, token }, { organizations }) => {
      if ([clientId, tokenId, token].filter((id) => id !== undefined).length !== 1) {
        throw invalidAt('', 'exactly one of clientId, tokenId, and token is required');
      }
      if (clientId !== undefined) return { revoked: true, ...(await organizations.revokeClient(clientId)) };
      return {
        revoked: true,
        ...(tokenId === undefined
          ? await organizations.revokeTokenValue(token ?? '')
          : await organizations.revokeToken(tokenId)),
      };
    },
  }),
  'set-filing-status': command({
    input: z.strictObject({ filingId: objectId, status: z.enum(filingStatuses) }),
    effect: ({ filingId, status }) =>
      status === 'canceled' ? `Cancels the filing ${filingId} for good.` : undefined,
    run: ({ filingId, status }, { filings }) => filings.setStatus(filingId, status),
  }),
  'open-escalation': command({
    input: z.strictObject({
      ...checklistItemKey,
      body: z.optional(messageBody),
      category: z.optional(z.enum(['public', 'private'])),
    }),
    run: ({ body, category, ...item }, { filings }) => filings.openEscalation(item, body, category),
  }),
  'resolve-escalation': command({
    input: z.strictObject({ ...checklistItemKey, body: z.optional(messageBody) }),
    run: ({ body, ...item }, { filings }) => filings.resolveEscalation(item, body),
  }),
  'message-escalation': command({
    input: z.strictObject({ ...checklistItemKey, body: messageBody }),
    run: ({ body, ...item }, { filings }) => filings.messageEscalation(item, body),
  }),
  /** The first half of `add-completion-artifact`, whose file the operator's tool uploads in between. */
  'announce-completion-artifact': command({
    input: z.strictObject({
      filingId: objectId,
      type: z.enum(artifactTypes),
      fileName: textUpTo(255),
      contentType: z.enum(fileTypeNames),
      sizeInBytes: z.int().check(z.gte(1), z.lte(largestFile)),
    }),
    run: async ({ filingId, type: _, ...file }, { filings, announceFile }) =>
      announceFile(await filings.ownerOf(filingId), file),
  }),
  'add-completion-artifact': command({
    input: z.strictObject({ filingId: objectId, type: z.enum(artifactTypes), fileDocumentId: objectId }),
    run: ({ filingId, type, fileDocumentId }, { filings }) =>
      filings.addCompletionArtifact(filingId, type, fileDocumentId),
  }),
  'activate-association': command({
    input: z.strictObject({ downstreamEntityAssociationId: objectId }),
    run: (input, { activateAssociation }) => activateAssociation(input.downstreamEntityAssociationId),
  }),
  'execute-contract': command({
    input: contractExecution,
    run: (input, { executeContract }) => executeContract(input),
  }),
  'run-license-sweep': command({
    input: asOfInput,
    run: (input, { scheduledWork }) => scheduledWork.sweepLicenses(input),
  }),
  'run-registry-reconciliation': command({
    input: asOfInput,
    run: (input, { scheduledWork }) => scheduledWork.reconcileRegistry(input),
  }),
  'request-visits': command({
    input: z.strictObject({ npns: z.array(npn).check(z.maxLength(mostVisitsRequested)) }),
    run: ({ npns }, { requestVisits }) => requestVisits(npns),
  }),
  'set-registry-record': command({
    input: z.strictObject({ npn, record: registryRecordInput }),
    run: (input, { setRegistryRecord }) => setRegistryRecord(input.npn, input.record),
  }),
  /** Redeems an invitation or a sign-in link, as the agencies' application does for its bearer. */
  'redeem-one-time-link': command({
    input: redemptionInput,
    run: (input, { redeemOneTimeLink }) => redeemOneTimeLink(input),
  }),
  redrive: command({
    input: z.strictObject({ queue: z.enum(workedQueues) }),
    run: ({ queue }, { redrive }) => redrive(queue),
  }),
  'set-license-request-status': command({
    input: z.strictObject({
      licenseRequestId: objectId,
      status: z.enum(licenseRequestStatuses),
    }),
    run: ({ licenseRequestId, status }, { moveLicenseRequest }) =>
      moveLicenseRequest(licenseRequestId, status),
  }),
} satisfies Record<string, ReturnType<typeof command>>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as CommandName[];

/** The input schemas of the commands, for the help. */
export const inputOf = (name: CommandName): z.core.$ZodType => commands[name].input;

/**
 * A sentence about what a command takes away, or whom it locks out; undefined where it does neither, or its input is not
 * valid.
 */
export const effectOf = (name: CommandName, input: unknown): string | undefined =>
  commands[name].effectOf(input);

/** Payload of an invocation. */
const invocation = z.strictObject({ command: z.string(), input: z.unknown() });

/** @throws ApiError `validation_error` for an unknown command or malformed input; what the command throws. */
export async function runCommand(event: unknown, sources: CommandSources): Promise<object> {
  const { command: name, input } = parseInput(invocation, event);
  const knownCommand = Object.entries(commands).find(([candidate]) => candidate === name)?.[1];
  if (knownCommand === undefined) {
    throw invalid({ path: 'command', message: 'is not known', accepted: commandNames });
  }
  return knownCommand.run(input, sources);
}
