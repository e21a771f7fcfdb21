import { restoredKey } from '../../shared/platform/changes/restored.ts';
import { present } from '../../shared/platform/data/expressions.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** Records of a restored table, once, that the service uses it: from then on its lists can be followed again. */
export const recordMove = (table: Table, now: Date): Promise<boolean> =>
  table.update(
    restoredKey(table.design),
    { movedAt: now.toISOString() },
    { pk: present, movedAt: undefined },
  );
