import { ApiError } from '#platform/contract/errors.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import type { Key } from '#platform/data/table.ts';
import { issuesOf, type ReadLine, type RejectedLine } from './lines.ts';

/** A line is refused because of another record as it is now, such as the holder of its code. */
export class BlockedByRecord extends ApiError {
  readonly recordId: string;

  constructor(recordId: string, path: string, message: string) {
    super('validation_error', { message, details: { issues: [{ path, message }] } });
    this.recordId = recordId;
  }
}

/** Dependencies between the lines of a type, and the import of one line. */
interface ChainImport<Item> {
  /** Chains worked on at once. */
  readonly concurrency: number;
  /** Names that identify a record, and those of other records that it refers to. */
  readonly namesOf: (record: Item) => readonly string[];
  /** The keys under which one record alone can hold what this one claims. */
  readonly claimsOf: (record: Item) => readonly Key[];
  /** The ids of the records that hold claims. */
  readonly readHolders: (claims: readonly Key[]) => Promise<(claim: Key) => string | undefined>;
  /**
   * Returns the id under which the record is stored.
   * @throws BlockedBy; other errors as `issuesOf` takes them.
   */
  readonly importRecord: (record: Item) => Promise<string>;
}

/**
 * Imports lines concurrently, but those in the order of the file that share a record or a claim, so that timing decides
 * nothing. A line that a record blocks is imported again after each line that changes that record: a file may give what
 * one of its lines gives up to another line, before or after it.
 *
 * @returns the lines that were rejected.
 */
export async function importChains<Item>(
  lines: readonly ReadLine<Item>[],
  { concurrency, namesOf, claimsOf, readHolders, importRecord }: ChainImport<Item>,
): Promise<RejectedLine[]> {
  const holderOf = await readHolders(lines.flatMap(({ record }) => claimsOf(record)));
  const allNames = (record: Item): string[] => [
    ...namesOf(record),
    ...claimsOf(record).flatMap((claim) => [`${claim.pk} ${claim.sk}`, holderOf(claim) ?? []].flat()),
  ];
  const rejects: RejectedLine[] = [];
  await concurrently(chainsOf(lines, allNames), concurrency, async (chain) => {
    rejects.push(...(await importChain(chain, importRecord)));
  });
  return rejects;
}

/** The lines in chains, each in the order of the file; lines of different chains share no name. */
function chainsOf<Item>(
  lines: readonly ReadLine<Item>[],
  namesOf: (record: Item) => readonly string[],
): Set<readonly ReadLine<Item>[]> {
  interface Chain {
    readonly names: string[];
    readonly lines: ReadLine<Item>[];
  }
  const byName = new Map<string, Chain>();
  for (const line of lines) {
    const names = namesOf(line.record);
    const met = new Set(names.map((name) => byName.get(name)).filter((chain) => chain !== undefined));
    const [longest, ...otherChains] = [...met].sort((a, b) => b.lines.length - a.lines.length);
    const chain = longest ?? { names: [], lines: [] };
    for (const name of [...names, ...otherChains.flatMap((otherChain) => otherChain.names)]) {
      chain.names.push(name);
      byName.set(name, chain);
    }
    chain.lines.push(...otherChains.flatMap((otherChain) => otherChain.lines), line);
  }
  const chains = new Set(byName.values());
  return new Set(Array.from(chains, (chain) => chain.lines.sort((a, b) => a.line - b.line)));
}

async function importChain<Item>(
  chain: readonly ReadLine<Item>[],
  importRecord: ChainImport<Item>['importRecord'],
): Promise<RejectedLine[]> {
  const idOf = new Map<ReadLine<Item>, string>();
  const refusals = new Map<ReadLine<Item>, RejectedLine & { readonly blockingId: string | undefined }>();
  for (const chainLine of chain) {
    const dueLines = [chainLine];
    // Grows while lines are no longer blocked.
    for (const next of dueLines) {
      const { line, record, identify } = next;
      try {
        const id = await importRecord(record);
        identify(id);
        refusals.delete(next);
        idOf.set(next, id);
        // Later lines of the record amend it: they are not overridden by an earlier one that was blocked.
        dueLines.push(...chain.filter((laterLine) => laterLine.line > line && idOf.get(laterLine) === id));
        dueLines.push(...chain.filter((blockedLine) => refusals.get(blockedLine)?.blockingId === id));
      } catch (error) {
        const blockingId = error instanceof BlockedByRecord ? error.recordId : undefined;
        idOf.delete(next);
        refusals.set(next, { line, issues: issuesOf(error), blockingId: blockingId });
      }
    }
  }
  return Array.from(refusals.values(), ({ line, issues }) => ({ line, issues }));
}
