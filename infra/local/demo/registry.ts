import * as z from 'zod/mini';

const party = z.object({
  npn: z.string(),
  legalName: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
});
const nested = z.looseObject({ downstreamEntity: z.optional(z.unknown()) });
const imported = z.looseObject({ type: z.string(), npn: z.optional(z.string()) });
const lists = {
  license: 'licenses',
  appointment: 'appointments',
  'regulatory-action': 'regulatoryActions',
} as const;

const isListed = (type: string): type is keyof typeof lists => Object.hasOwn(lists, type);

/**
 * The simulated registry's records of the demo's agencies and producers. They match the carrier's records, so that a
 * synchronization finds no differences until an operator changes them.
 */
export function demoRegistryRecords(
  records: readonly object[],
): { readonly npn: string; readonly record: object }[] {
  const holders = new Map<string, { entity: object } & Record<string, object>>();
  for (const record of records) {
    const { downstreamEntity } = z.parse(nested, record);
    const { npn, legalName, firstName, lastName } = z.safeParse(party, downstreamEntity ?? record).data ?? {};
    const name = legalName ?? (firstName && `${firstName} ${lastName}`);
    if (npn === undefined || !name) continue;
    const entity = { kind: legalName === undefined ? 'individual' : 'firm', name };
    holders.set(npn, { entity, licenses: [], appointments: [], regulatoryActions: [] });
  }
  for (const record of records) {
    const { type, npn = '', ...reported } = z.parse(imported, record);
    const list = isListed(type) ? holders.get(npn)?.[lists[type]] : undefined;
    if (Array.isArray(list)) list.push(reported);
  }
  return Array.from(holders, ([npn, record]) => ({ npn, record }));
}
