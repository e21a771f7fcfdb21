import type { FilingStatus } from './resource.ts';

/** The transitions of a filing from each status; only operators move it. Completing it also requires an artifact. */
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
export const nextStatuses = (status: FilingStatus): readonly FilingStatus[] => transitions[status];
