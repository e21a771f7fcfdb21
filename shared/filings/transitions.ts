import type { FilingStatus } from '../resources/filing.ts';

/** Where a filing may go from each status; operators alone move it. Completing it needs an artifact besides. */
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
