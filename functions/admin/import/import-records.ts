import * as z from 'zod/mini';
import { ApiError, invalid } from '../../../shared/contract/errors.ts';
import { parseInput } from '../../../shared/request/validation.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { groupBy, issuesOf, type ReadLine, type RejectedLine } from './lines.ts';
import type { PolicyImport } from './policy-import.ts';
import { policyRecord, policyTransactionRecord } from './policy-records.ts';

/** A chunk of an operator's NDJSON file. */
export interface ImportChunk {
  readonly organizationId?: string | undefined;
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** How many lines were taken in (those that changed nothing included), and which were not. */
export interface ImportOutcome {
  readonly imported: number;
  readonly rejected: readonly RejectedLine[];
}

/** Takes in the good lines and names the bad ones; the same lines again change nothing. */
export type ImportRecords = (chunk: ImportChunk) => Promise<ImportOutcome>;

const record = z.discriminatedUnion('type', [policyRecord, policyTransactionRecord]);

export function createImportRecords(deps: {
  readonly organizations: OrganizationAdministration;
  readonly policies: PolicyImport;
}): ImportRecords {
  /** @throws ApiError `validation_error` when the owner is missing, unknown or no upstream organization. */
  const checkOwner = async (owner: string): Promise<void> => {
    const found = await deps.organizations.read(owner).catch((error: unknown) => {
      if (error instanceof ApiError && error.errorType === 'not_found') return undefined;
      throw error;
    });
    if (found?.category !== 'upstreamEntity') {
      throw invalid({ path: 'organizationId', message: `${owner} is not an upstream organization` });
    }
  };

  return async ({ organizationId, firstLine, lines }) => {
    const rejected: RejectedLine[] = [];
    const owned: (ReadLine<z.output<typeof record>> & { readonly owner: string })[] = [];
    let taken = 0;
    for (const [index, text] of lines.entries()) {
      const line = firstLine + index;
      if (text.trim() === '') continue;
      taken += 1;
      try {
        const read = parseInput(record, parseLine(text));
        const owner = read.upstreamEntityId ?? organizationId;
        if (owner === undefined) {
          throw invalid({ path: 'organizationId', message: 'is needed to know the owner' });
        }
        owned.push({ line, record: read, owner });
      } catch (error) {
        rejected.push({ line, issues: issuesOf(error) });
      }
    }

    for (const [owner, read] of groupBy(owned, (one) => one.owner)) {
      try {
        await checkOwner(owner);
      } catch (error) {
        const issues = issuesOf(error);
        rejected.push(...read.map(({ line }) => ({ line, issues })));
        continue;
      }
      rejected.push(...(await deps.policies(owner, read)));
    }
    rejected.sort((a, b) => a.line - b.line);
    return { imported: taken - rejected.length, rejected };
  };
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid({ path: '', message: 'is not valid JSON' });
    throw error;
  }
}
