import * as z from 'zod/mini';

const sample = z.looseObject({
  type: z.string(),
  npn: z.optional(z.string()),
  stateCode: z.optional(z.string()),
  licenseNumber: z.optional(z.string()),
  legalName: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  downstreamEntity: z.optional(z.object({ npn: z.string(), legalName: z.string() })),
});

type Sample = z.output<typeof sample>;

/** The lists of a registry's record, by the type of the samples that are in them. */
const lists = { licenses: 'license', appointments: 'appointment', regulatoryActions: 'regulatory-action' };

/** Who a record of an agency or a producer is about. */
function entityIn({ type, npn, legalName, firstName, lastName, downstreamEntity }: Sample) {
  const agency = downstreamEntity ?? { npn, legalName };
  if (agency.legalName !== undefined) return { npn: agency.npn, kind: 'firm', name: agency.legalName };
  return type === 'agent' ? { npn, kind: 'individual', name: `${firstName} ${lastName}` } : undefined;
}

/**
 * Licenses that only the registry has, like those of the samples: a synchronization or the first poll brings them. No product asks
 * for the one; the other was that of a producer's home state.
 */
const onlyInRegistry: Readonly<Record<string, object>> = {
  '543212': { stateCode: 'AR', licenseNumber: '543215' },
  '400221': { stateCode: 'KS', licenseNumber: '400222', status: 'revoked', residencyStatus: 'resident' },
};

/**
 * The simulated registry's records of all agencies and producers. They match what is imported, so that a synchronization
 * takes nothing away; of an agency and a producer it finds a license more.
 */
export function registryRecords(lines: readonly string[]) {
  const samples = lines.map((line) => z.parse(sample, JSON.parse(line)));
  const parties = new Map(
    samples.flatMap((one) => {
      const { npn, ...entity } = entityIn(one) ?? {};
      return npn === undefined ? [] : [[npn, entity] as const];
    }),
  );
  return Array.from(parties, ([npn, entity]) => {
    const ofType = (wanted: string) => {
      const found = samples.flatMap(
        ({ type, npn: holder, validFrom: _from, createdAt: _created, ...fields }) =>
          type === wanted && holder === npn ? [fields] : [],
      );
      // Of the versions of a license, the registry has the last one.
      const byIdentity = new Map(
        found.map((fields) => [
          JSON.stringify(
            fields.licenseNumber === undefined ? fields : [fields.stateCode, fields.licenseNumber],
          ),
          fields,
        ]),
      );
      return Array.from(byIdentity.values()).flatMap((fields) => {
        const more = onlyInRegistry[fields.licenseNumber ?? ''];
        return more === undefined ? [fields] : [fields, { ...fields, ...more }];
      });
    };
    const records = Object.entries(lists).map(([list, type]) => [list, ofType(type)]);
    return { npn, record: { entity, ...Object.fromEntries(records) } };
  });
}
