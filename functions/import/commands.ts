import * as z from 'zod/mini';
import type { PolicyTransaction } from '#domain/policies/resource.ts';
import { parseInput, parseWritten } from '#platform/request/validation.ts';
import { createReadMatching, type MatchingTable } from './matching/matching.ts';
import { confirmMatchInput, createConfirmMatch } from './policy/import.ts';
import { createRematch, type RematchOutcome, rematchInput } from './policy/rematch.ts';
import { createPolicyWrites } from './policy/store.ts';
import { checkOrganization, type RecordDependencies } from './run/import-records.ts';

/** The commands that operators give this function rather than `admin`, which has no rights over policies. */
export const importCommands = {
  rematch: rematchInput,
  'confirm-match': confirmMatchInput,
} as const;

export type ImportCommandName = keyof typeof importCommands;

const commandCall = z.looseObject({ command: z.string() });

/** Whether the function was invoked with a command rather than with a chunk of a file. */
export const isCommand = (event: unknown): boolean => z.safeParse(commandCall, event).success;

export const commandNames = Object.keys(importCommands) as [ImportCommandName, ...ImportCommandName[]];

const invocation = z.strictObject({ command: z.enum(commandNames), input: z.unknown() });

/** A command's result, and what is logged besides the ids of its input: ids and counts. */
export interface CommandOutcome {
  readonly result: RematchOutcome | PolicyTransaction;
  readonly audit: Readonly<Record<string, unknown>>;
}

export function createCommands({
  tables,
  organizations,
  now,
}: RecordDependencies<'policies' | MatchingTable>) {
  const dependencies = {
    tables,
    now,
    policies: createPolicyWrites(tables, now, { events: () => [], isSilent: true }),
    readMatching: createReadMatching(tables, now),
  };
  const rematch = createRematch(dependencies);
  const confirmMatch = createConfirmMatch(dependencies);

  /** @throws ApiError `validation_error` for malformed input; what the commands throw. */
  return async (event: unknown): Promise<CommandOutcome> => {
    const { command, input } = parseInput(invocation, event);
    if (command === 'rematch') {
      const { organizationId, after } = parseWritten(rematchInput, input);
      await checkOrganization(organizations, 'organizationId', organizationId, 'upstreamEntity');
      const result = await rematch(organizationId, after);
      const { matched, review, unmatched } = result;
      return { result, audit: { matched, review, unmatched } };
    }
    const matchInput = parseWritten(confirmMatchInput, input);
    await checkOrganization(organizations, 'organizationId', matchInput.organizationId, 'upstreamEntity');
    return { result: await confirmMatch(matchInput), audit: {} };
  };
}
