import { toItem } from '../../platform/data/dynamo.ts';
import { type TransactionItem, unconditional } from '../../platform/data/transact.ts';
import { comparableEin } from '../identifiers/comparable-ein.ts';
import { comparableName } from '../matching/names.ts';
import { live, type StoredAssociation } from './stored.ts';

/** What a policy may know an agency by, beside the producer code of one of its associations. */
export type AgencyClueKind = 'NPN' | 'EIN' | 'NAME';

/** The key of the associations that a value finds. */
export const clueKey = (upstream: string, kind: AgencyClueKind, value: string) => ({
  pk: `${upstream}#CLUE#${kind}`,
  sk: value,
});

/** A name is a sort key of at most 1,024 bytes. */
const longestName = 200;

/** A value as associations are found by it; undefined for one that nothing can be found by. */
export function clueValue(kind: AgencyClueKind, written: string | null | undefined): string | undefined {
  const text = written?.trim() ?? '';
  if (text === '') return undefined;
  if (kind === 'NPN') return text;
  const value = kind === 'EIN' ? comparableEin(text) : comparableName(text).slice(0, longestName);
  return value === '' ? undefined : value;
}

/** What an association is found by; nothing if it is not live. */
function cluesOf(association: StoredAssociation | undefined): Map<string, Record<string, string>> {
  const found = live(association);
  if (found === undefined) return new Map();
  const { npn, ein, legalName } = found.agency;
  const values = {
    NPN: clueValue('NPN', npn),
    EIN: clueValue('EIN', ein),
    NAME: clueValue('NAME', legalName),
  };
  return new Map(
    Object.entries(values).flatMap(([kind, value]) => {
      if (value === undefined) return [];
      const key = clueKey(found.upstreamEntityId, kind as AgencyClueKind, value);
      return [[JSON.stringify(key), key]];
    }),
  );
}

/** The writes that let an association be found by what its agency is known by now, and no longer by what it was. */
export function clueWrites(
  table: string,
  { before, after }: { readonly before: StoredAssociation | undefined; readonly after: StoredAssociation },
): TransactionItem[] {
  const [was, is] = [cluesOf(before), cluesOf(after)];
  const write = (action: 'ADD' | 'DELETE') => (key: Record<string, string>) =>
    unconditional({
      Update: {
        TableName: table,
        Key: toItem(key),
        UpdateExpression: `${action} associationIds :id`,
        ExpressionAttributeValues: toItem({ ':id': new Set([after._id]) }),
      },
    });
  const missingFrom = (others: ReadonlyMap<string, unknown>, clues: Map<string, Record<string, string>>) =>
    [...clues].flatMap(([name, key]) => (others.has(name) ? [] : [key]));
  return [...missingFrom(is, was).map(write('DELETE')), ...missingFrom(was, is).map(write('ADD'))];
}
