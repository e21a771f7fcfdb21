import type { Done, Kind } from './operations.ts';
import type { Carrier } from './organizations.ts';
import type { StoredState } from './stored-state.ts';

const isAcknowledged = ({ outcome }: Done): boolean => outcome.status >= 200 && outcome.status < 300;

/** Every way in which filings, agents and licenses do not fit what was done with them. */
export function contradictionsOfFilings(
  done: readonly Done[],
  { events, filings, messages, documents, agents }: StoredState,
  carriers: readonly Carrier[],
): string[] {
  const found: string[] = [];
  const ofKind = (...kinds: Kind[]) => done.filter(({ kind }) => kinds.includes(kind));
  const once = (one: Done, count: number, what: string): void => {
    if (count !== 1 && (count > 1 || isAcknowledged(one))) found.push(`${one.mark} has ${count} ${what}`);
  };
  const byId = new Map(filings.map((filing) => [filing['_id'], filing]));
  const messagesBy = (mark: string) => messages.filter(({ body }) => body === mark);

  for (const one of ofKind('reply', 'escalate')) {
    once(one, messagesBy(one.mark).length, 'messages');
  }
  for (const { _id, messageCount, pk } of filings) {
    const stored = messages.filter((message) => message['pk'] === pk).length;
    if (messageCount !== stored) {
      found.push(`the filing ${String(_id)} counts ${String(messageCount)} messages and has ${stored}`);
    }
  }

  // The last policy stands, and of the files that were one only it is on the filing.
  for (const { _id, policyDocument } of filings) {
    const { fileDocumentId } = { ...(policyDocument as { readonly fileDocumentId?: string } | null) };
    const used = documents.flatMap((document) => (document['usedBy'] === _id ? [document['_id']] : []));
    if (JSON.stringify(used) !== JSON.stringify([fileDocumentId ?? []].flat())) {
      found.push(`the filing ${String(_id)} has the files ${String(used)}, not its policy`);
    }
  }
  const policies = new Map(filings.map(({ _id, policyDocument }) => [_id, policyDocument]));
  for (const one of ofKind('document').filter(isAcknowledged)) {
    if (policies.get(one.subject) === null) found.push(`${one.mark} left no policy on ${one.subject}`);
  }

  for (const one of ofKind('escalate').filter(isAcknowledged)) {
    const status = byId.get(one.subject)?.['status'];
    if (status !== 'in progress') found.push(`${one.mark} is ${String(status)}`);
  }

  const createdOf = (entityId: string) =>
    events.filter((event) => event.type === 'AGENT_CREATED' && event.entityId === entityId);
  for (const one of ofKind('agent')) {
    once(one, agents.filter(({ _id }) => _id === one.subject).length, 'agents');
    once(one, createdOf(one.subject).length, 'events');
  }

  if (ofKind('sweep').some(isAcknowledged)) {
    for (const { sweptAgentId, licenses } of carriers) {
      const emitted = events.filter(
        ({ type, entityId }) => /^AGENT_LICENSE_EXPIR/.test(type) && entityId === sweptAgentId,
      );
      const ids = new Set(
        emitted.map(({ payload }) => (payload as { readonly licenseNumber: string }).licenseNumber),
      );
      if (emitted.length !== licenses || ids.size !== licenses) {
        found.push(`${licenses} licenses of ${sweptAgentId} have ${emitted.length} events`);
      }
    }
  }
  return found;
}
