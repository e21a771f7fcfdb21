import * as z from 'zod/mini';
import { jobsOf } from '#domain/license-sweep/store.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';

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

/** Agency or producer that a record is about. */
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
    samples.flatMap((sample) => {
      const { npn, ...entity } = entityIn(sample) ?? {};
      return npn === undefined ? [] : [[npn, entity] as const];
    }),
  );
  return Array.from(parties, ([npn, entity]) => {
    const ofType = (wantedType: string) => {
      const samplesOfType = samples.flatMap(({ type, npn: holder, createdAt: _createdAt, ...fields }) =>
        type === wantedType && holder === npn ? [fields] : [],
      );
      // Of the versions of a license, the registry has the last one.
      const byIdentity = new Map(
        samplesOfType.map((fields) => [
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

/** Ids of samples. */
const ids = {
  agentId: '65f0c1d2e3a4b5c6d7e8fa05',
  downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8fc02',
  /** The policy that was bound without a license, and its product. */
  policyId: '65f0c1d2e3a4b5c6d7e8fd02',
  productId: '65f0c1d2e3a4b5c6d7e8f905',
};
const agencyNpn = '20114873';

const storySample = z.looseObject({
  type: z.optional(z.string()),
  npn: z.optional(z.string()),
  agencyNpn: z.optional(z.string()),
  nextRenewalDate: z.optional(z.string()),
  statusDate: z._default(z.string(), ''),
  effectiveDate: z._default(z.string(), ''),
});

/**
 * A story of the samples: the license of a producer who is an agency of her own lapsed, a policy was bound, and the license
 * was renewed. Now she is licensed, but on the day the policy took effect she was not.
 */
export function lapsedLicenseIn(lines: readonly string[]) {
  const samples = lines.map((line) => ({ line, ...z.parse(storySample, JSON.parse(line)) }));
  const versions = samples.filter(({ type, npn }) => type === 'license' && npn === agencyNpn);
  const policy = samples.find((story) => story.agencyNpn === agencyNpn);
  const [{ nextRenewalDate: expiredOn } = {}, ...laterVersions] = versions;
  if (expiredOn === undefined || policy === undefined) throw new Error('The samples have no lapsed license.');
  return {
    ...ids,
    /** The license's last day. */
    expiredOn,
    /** The day on which the policy took effect. */
    effectiveDate: policy.effectiveDate,
    renewedOn: laterVersions.at(-1)?.statusDate,
    /** The samples that tell how it went on after the license's last day. */
    laterVersions: laterVersions.map(({ line }) => line),
  };
}

/**
 * Does what the sweep did on the day after a license's last one, so that its event is in the feed. A sweep as of that day
 * would also have to make up for all days since.
 */
export async function reportExpiry(
  invoke: (functionName: string, payload: unknown) => Promise<unknown>,
  expiredOn: CalendarDate,
): Promise<void> {
  const day = addDays(expiredOn, 1);
  const Records = jobsOf(day, day)
    .filter(({ kind }) => kind === 'EXPIRED')
    .map((job) => ({
      messageId: String(job.shard),
      body: JSON.stringify(job),
      attributes: { ApproximateReceiveCount: '1' },
    }));
  const answer = z.parse(
    z.object({ batchItemFailures: z.array(z.unknown()) }),
    await invoke('license-sweep', { Records }),
  );
  if (answer.batchItemFailures.length > 0) throw new Error('Seeding: the license sweep failed.');
}
