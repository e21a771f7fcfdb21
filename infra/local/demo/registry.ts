import * as z from 'zod/mini';

const party = z.object({
  npn: z.string(),
  legalName: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
});
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
  const holders = new Map<string, { entity: object; record: Record<string, object[]> }>();
  for (const record of records) {
    const { downstreamEntity } = z.parse(
      z.looseObject({ downstreamEntity: z.optional(z.unknown()) }),
      record,
    );
    const known = z.safeParse(party, downstreamEntity ?? record).data;
    const name = known?.legalName ?? (known?.firstName && `${known.firstName} ${known.lastName}`);
    if (known === undefined || name === undefined || name === '') continue;
    const entity = { kind: known.legalName === undefined ? 'individual' : 'firm', name };
    const nothing = { licenses: [], appointments: [], regulatoryActions: [] };
    holders.set(known.npn, { entity, record: nothing });
  }
  for (const record of records) {
    const { type, npn = '', ...reported } = z.parse(imported, record);
    if (isListed(type)) holders.get(npn)?.record[lists[type]]?.push(reported);
  }
  return Array.from(holders, ([npn, { entity, record }]) => ({ npn, record: { entity, ...record } }));
}
