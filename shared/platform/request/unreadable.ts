import { countsLeftOut } from '../contract/envelope.ts';
import type { Route } from '../contract/route.ts';
import type { StoredItemError } from '../data/stored.ts';
import type { Log } from '../log/log.ts';

/** How many records a list leaves out, because they can't be read (OpenAPI, "Lists"). */
export const recordsUnreadableHeader = 'x-records-unreadable';

/** Items that are logged of one response: after a release that can't read any, each list would be all of the log. */
const mostLogged = 20;

/**
 * What one response leaves out.
 * @param account the members of the request's log lines: each item that can't be read has one, however many records it is of.
 */
export function createUnreadable(route: Route, account: Readonly<Record<string, unknown>>, logger: Log) {
  let count = 0;
  const logged = new Set<string>();
  return {
    leaveOut(error: StoredItemError): void {
      count += 1;
      if (logged.has(error.message) || logged.size >= mostLogged) return;
      logged.add(error.message);
      logger.error('A list leaves out a record.', { event: 'record_unreadable', ...account, error });
    },
    /** The header, where records are left out so far. */
    headers: (): Record<string, string> => (count === 0 ? {} : { [recordsUnreadableHeader]: String(count) }),
    /** The member of the envelope; v1 has none. */
    member: (): { readonly recordsUnreadable?: number } =>
      count > 0 && countsLeftOut(route) ? { recordsUnreadable: count } : {},
  };
}
