import { type ImportKind, importKinds, isTold } from './imports.ts';
import type { Done } from './operations.ts';
import type { StoredState } from './stored-state.ts';

/** How many things there are by what names each. */
function counted<Item>(items: readonly Item[], nameOf: (item: Item) => unknown): ReadonlyMap<string, number> {
  return new Map(
    Array.from(
      Map.groupBy(items, (item) => String(nameOf(item))),
      ([name, found]) => [name, found.length],
    ),
  );
}

/** Every record of an import that is not there once, and every event of one that is not there as often as it was asked for. */
export function contradictionsOfImports(done: readonly Done[], state: StoredState): string[] {
  const { agents, associations, licenses, filings, policies, transactions } = state;
  const stored: Readonly<Record<ImportKind, ReadonlyMap<string, number>>> = {
    agents: counted(agents, ({ lastName }) => lastName),
    associations: counted(associations, ({ externalId }) => externalId),
    licenses: counted(licenses, ({ licenseNumber }) => licenseNumber),
    filings: counted(filings, ({ policyNumber }) => policyNumber),
    policies: counted(policies, ({ policyNumber }) => policyNumber),
    transactions: counted(transactions, ({ uniqueTransactionId }) => uniqueTransactionId),
  };
  const eventsOf = (type: string) =>
    counted(
      state.events.filter((event) => event.type === type),
      ({ entityId }) => entityId,
    );
  // Imports of filings, policies, and their transactions have no events.
  const told: Readonly<Partial<Record<ImportKind, ReadonlyMap<string, number>>>> = {
    agents: eventsOf('AGENT_CREATED'),
    associations: eventsOf('DOWNSTREAM_ENTITY_CREATED'),
    licenses: eventsOf('COMPLIANCE_INPUTS_CHANGED'),
  };
  return importKinds.flatMap((kind) =>
    done
      .filter((one) => one.kind === kind)
      .flatMap((one) => {
        const records = stored[kind].get(one.mark) ?? 0;
        const events = told[kind]?.get(one.subject) ?? 0;
        const wanted = told[kind] !== undefined && isTold(one) ? 1 : 0;
        return records === 1 && events === wanted
          ? []
          : [`${one.mark} has ${records} records and ${events} events instead of 1 and ${wanted}`];
      }),
  );
}
