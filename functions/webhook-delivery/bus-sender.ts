import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { callBytes, entryBytes, putEventsEntry } from '../../shared/domain/events/event.ts';
import type { RoleCredentials } from '../../shared/domain/webhooks/role-sessions.ts';
import { clientDefaults } from '../../shared/platform/aws/client-defaults.ts';
import { putEventsEntries } from '../../shared/platform/aws/limits.ts';
import { type DestinedEvent, EntryRefused, inGroups, type SendEvent } from './destined-events.ts';

/** What became of an event: its id, or why it was refused. */
type Put = { readonly id: string } | { readonly error: unknown };

/** Puts events on a bus: those that are under way at once in one call, as far as they fit. */
export function busSender(busArn: string, region: string, credentials: RoleCredentials): SendEvent {
  const client = new EventBridgeClient({ ...clientDefaults('eventBridge'), region, credentials });
  const limits = { count: putEventsEntries, size: { bytes: callBytes, of: entryBytes } };

  const put = inGroups(limits, async (events: readonly DestinedEvent[]): Promise<readonly Put[]> => {
    try {
      const Entries = events.map((event) => putEventsEntry(event, busArn));
      const answered = (await client.send(new PutEventsCommand({ Entries }))).Entries ?? [];
      return events.map((_, index) => {
        const { EventId, ErrorCode = 'NoAnswer', ErrorMessage = '' } = answered[index] ?? {};
        return EventId === undefined ? { error: new EntryRefused(ErrorCode, ErrorMessage) } : { id: EventId };
      });
    } catch (error) {
      return events.map(() => ({ error }));
    }
  });

  return async (event) => {
    const outcome = await put(event);
    if ('error' in outcome) throw outcome.error;
    return outcome.id;
  };
}
