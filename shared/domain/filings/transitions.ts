import type { FilingStatus } from './resource.ts';
import type { StoredFiling } from './stored.ts';

/**
 * The transitions of a filing from each status; only operators move it. Completing it also requires an artifact. From `on hold`,
 * those of a filing that was imported so: nobody knows where it was.
 */
const transitions: Readonly<Record<FilingStatus, readonly FilingStatus[]>> = {
  'not started': ['in progress', 'on hold', 'canceled'],
  'in progress': ['ready to file', 'on hold', 'canceled'],
  'ready to file': ['filed', 'on hold', 'canceled'],
  filed: ['completed', 'on hold', 'canceled'],
  'on hold': ['not started', 'in progress', 'ready to file', 'filed', 'canceled'],
  completed: [],
  canceled: [],
};

/** The statuses that a filing may be given next. */
export const nextStatuses = ({
  status,
  heldFrom,
}: Pick<StoredFiling, 'status' | 'heldFrom'>): readonly FilingStatus[] =>
  status === 'on hold' && heldFrom !== undefined ? [heldFrom, 'canceled'] : transitions[status];
