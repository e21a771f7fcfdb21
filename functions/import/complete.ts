import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { includes, never } from '../../shared/domain/decision/dates.ts';
import { type HolderFacts, type ListKind, listKinds } from '../../shared/domain/decision/facts.ts';
import { type Command, recordComplete, recordImport } from '../../shared/domain/decision/record.ts';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { type UnreadRow, unknownState } from '../../shared/domain/registry/registry.ts';
import {
  createHolderFacts,
  factsWith,
  type HolderChange,
  importTime,
  noChange,
  readHolder,
  type StoredHolder,
} from '../../shared/domain/registry-records/holder-facts.ts';
import { registryKeys, subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { notConfirmedSince, visitsWith } from '../../shared/domain/registry-records/stored-facts.ts';
import { strictObject } from '../../shared/platform/contract/object.ts';
import { instant, objectId, stateCode, textUpTo } from '../../shared/platform/contract/primitives.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import { newYorkDate } from '../../shared/platform/dates/dates.ts';
import { jsonValue, parseInput } from '../../shared/platform/request/validation.ts';
import {
  checkOrganization,
  type ImportDependencies,
  type Named,
  ownersOfEitherKind,
  readLines,
} from './import-records.ts';
import { issuesOf, type RejectedLine } from './lines.ts';
import { appointmentLine, type DatedLine, importedRows, licenseLine } from './registry-records.ts';
import { separated, type UnreadLine } from './unread-lines.ts';

// A complete import is a list of a state: what it does not name ends. Its lines are imported first, as those of any file. Then each
// holder gets what the file leaves out, with the closing of the list: until then nothing is left out, wherever the import ends.

const holders = ['known', 'listed'] as const;

/** The lists that a file has completely, each once. */
export const completeLists = z.array(
  strictObject(() => ({
    kind: z.enum(listKinds).check(z.describe('What the file lists.')),
    stateCode,
    holders: z
      .enum(holders)
      .check(
        z.describe(
          'Whose it lists: those of every producer and agency of the organization, or of those in the file.',
        ),
      ),
  })),
);

/** What the operators’ program asks for, call by call. */
export const completeImportInput = strictObject(() => ({
  organizationId: objectId,
  lists: completeLists,
  /** `known` asks for a page of the holders, `count` for what would end, and `end` ends it. */
  step: z.enum(['known', 'count', 'end']),
  /** Of `known`: the `next` of the page before. */
  after: z.optional(textUpTo(100)),
  /** Of the other steps, with all lines of the file about each: those of the lists count. */
  holders: z._default(z.array(strictObject(() => ({ npn, lines: z.array(z.string()) }))), []),
  emitEvents: z._default(z.boolean(), false),
  /** Of `end`: those of the import. */
  commandId: z.optional(textUpTo(100)),
  commandAt: z.optional(instant),
}));

type Input = z.output<typeof completeImportInput>;

/** What a list ends: of so many licenses or appointments that are in force after the import of its lines. */
interface EndedOfList {
  readonly kind: ListKind;
  readonly stateCode: string;
  readonly live: number;
  readonly ended: number;
  /** A row of the list cannot be read: it ends nothing. */
  readonly isUnread: boolean;
}

export interface CompleteOutcome {
  /** NPNs of a page of the holders. */
  readonly npns?: readonly string[];
  readonly next?: string;
  readonly lists?: readonly EndedOfList[];
  /** Lines that cannot be read. */
  readonly rejected?: number;
}

const subscribed = storedItem('registry-records/subscribed-npn', () => ({ npn }));

/** Holders of a page, and holders whose records are read or written at the same time. */
const pageSize = 500;
const concurrency = 16;

/** How many licenses or appointments of a state are in force on a day, each counted once. */
function liveOf(
  facts: HolderFacts,
  { kind, stateCode: state }: Pick<EndedOfList, 'kind' | 'stateCode'>,
  at: Date,
): number {
  const { terms = [], appointments = [] } = coverageOf(facts, never).get(state) ?? {};
  const today = newYorkDate(at);
  const isLive = ({ spans }: (typeof terms)[number] | (typeof appointments)[number]): boolean =>
    spans.some((span) => includes(span, today));
  return kind === 'license'
    ? new Set(terms.filter(isLive).map(({ license }) => license)).size
    : appointments.filter(isLive).length;
}

const listedLine = z.looseObject({ type: z.enum(listKinds) });

const ignore = (): undefined => undefined;

/** For each list, how many licenses or appointments of a holder are in force, and how many of these end. */
type Counts = readonly (readonly [live: number, ended: number])[];

type CompleteDependencies = Omit<
  ImportDependencies<'registryRecords'>,
  'command' | 'isSilent' | 'onSetAside'
>;

export type CompleteImport = ReturnType<typeof createCompleteImport>;

/** Completes an import: see `completeImportInput`. */
export function createCompleteImport({
  tables: { registryRecords: stored },
  organizations,
  now,
  events,
}: CompleteDependencies) {
  const holderFacts = createHolderFacts(stored, now);

  async function knownAfter(owner: string, after: string | undefined): Promise<CompleteOutcome> {
    const { pk } = registryKeys.subscription(owner, '');
    const page = await stored.page(subscribed, pk, {
      limit: pageSize,
      after: after === undefined ? undefined : { pk, sk: after },
    });
    const last = page.next?.['sk'];
    return { npns: page.items.map((one) => one.npn), ...(last === undefined ? {} : { next: String(last) }) };
  }

  /** The lines of the file about a holder, as rows of the lists. */
  function rowsOf(
    { organizationId: owner, lists }: Input,
    { npn: holder, lines: texts }: Input['holders'][number],
    at: Date,
    rejected: RejectedLine[],
  ) {
    const parsed = texts.flatMap((text, line) => {
      try {
        return [{ line, record: parseInput(listedLine, jsonValue(text)), note: ignore }];
      } catch (error) {
        rejected.push({ line, issues: issuesOf(error) });
        return [];
      }
    });
    const common = { registryDataSubscriptionId: subscriptionIdOf(owner, holder), at: at.toISOString() };
    const rowsOfKind = <Item extends Named & DatedLine>(
      kind: ListKind,
      reader: (line: (typeof parsed)[number]) => Item | UnreadLine,
    ) => {
      const ofKind = parsed.filter(({ record: { type } }) => type === kind);
      const { read, setAside } = separated(readLines(ofKind, rejected, reader));
      const stateCodes = new Set(
        lists.filter((one) => one.kind === kind).map((one): string => one.stateCode),
      );
      const lines = read.map(({ record }) => record).filter((line) => stateCodes.has(line.stateCode));
      return { stateCodes, lines: importedRows({ ...common, lines }), setAside };
    };
    const licenses = rowsOfKind('license', licenseLine);
    const appointments = rowsOfKind('appointment', appointmentLine);
    const unread = [...licenses.setAside, ...appointments.setAside].flatMap((one) => one.unread ?? []);
    return { licenses, appointments, unread };
  }

  return async (input: Input): Promise<CompleteOutcome> => {
    const { organizationId: owner, lists, step, emitEvents } = input;
    const { commandId = randomUUID(), commandAt = now() } = input;
    const { category } = await checkOrganization(
      organizations,
      'organizationId',
      owner,
      ...ownersOfEitherKind,
    );
    if (step === 'known') return knownAfter(owner, input.after);
    const command: Command = { commandId, commandAt: commandAt.toISOString(), by: 'import' };
    const rejected: RejectedLine[] = [];
    const unread: UnreadRow[] = [];
    const isReported = emitEvents && category === 'upstreamEntity';

    async function complete(holder: Input['holders'][number]): Promise<Counts> {
      let counts: Counts = [];
      const decide = (known: StoredHolder): HolderChange => {
        const at = now();
        const own = { ...command, commandAt: importTime(known.facts, command) };
        // What a visit has confirmed since the import began, the list does not end.
        const open = notConfirmedSince(known.facts.visits, lists, own.commandAt);
        const { unread: odd, ...rows } = rowsOf({ ...input, lists: open }, holder, at, rejected);
        unread.push(...odd);
        const { licenses, appointments } = rows;
        const imported = recordImport(
          known.facts,
          { licenses: licenses.lines, appointments: appointments.lines },
          own,
        );
        const before = factsWith(known.facts, { ...noChange, ...imported }, 'import', at);
        const change = recordComplete(before, rows, own);
        const after = factsWith({ ...known.facts, ...before }, { ...noChange, ...change }, 'import', at);
        counts = lists.map((list) => {
          const live = liveOf(before, list, at);
          return [live, Math.max(0, live - liveOf(after, list, at))];
        });
        return { ...noChange, ...change, visits: visitsWith(known.facts.visits, open, own.commandAt) };
      };
      const whose = { owner, npn: holder.npn };
      if (step === 'count') decide(await readHolder(stored, whose));
      else {
        await holderFacts.record(whose, { by: 'import', isSilent: !emitEvents }, decide, {
          last: ({ isJudged }) =>
            isJudged && isReported ? events([recordsChanged(owner, holder.npn)], now()) : [],
        });
      }
      return counts;
    }

    const ofHolders = await mapConcurrently(input.holders, concurrency, complete);
    return {
      lists: lists.map(({ kind, stateCode: state }, index) => {
        const sum = (at: 0 | 1) => ofHolders.reduce((total, counts) => total + (counts[index]?.[at] ?? 0), 0);
        const isOfList = (row: UnreadRow): boolean =>
          row.kind === kind && [state, unknownState].includes(row.stateCode);
        return { kind, stateCode: state, live: sum(0), ended: sum(1), isUnread: unread.some(isOfList) };
      }),
      rejected: rejected.length,
    };
  };
}
