import { type Log, toError } from '../../platform/log/log.ts';
import { logSetAside } from '../registry-records/set-aside.ts';
import type { ReconciliationDeps } from './reconcile.ts';

/** What a reconciliation logs of the registry. */
export const reconciliationLog = (
  log: Log,
): Pick<ReconciliationDeps, 'onSetAside' | 'onChanges' | 'onLeft'> => ({
  onSetAside: (npn, rows, report) => logSetAside(log, npn, rows, report),
  onChanges({ error, missing, ...read }) {
    if (error === undefined && missing.length === 0) {
      log.info('The registry’s lists of changes were read.', { event: 'registry_changes', ...read });
      return;
    }
    log.warn('The registry’s lists of changes are not complete.', {
      event: 'registry_changes_missing',
      ...read,
      missing,
      ...(error === undefined ? {} : { error: toError(error) }),
    });
  },
  onLeft: (npns) =>
    log.warn('The calls of a night are too few for all NPNs that are due.', {
      event: 'registry_calls_used_up',
      npns,
    }),
});
