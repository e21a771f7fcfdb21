import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { organizationKeys } from '../../platform/identity/organization-keys.ts';
import { carrierIdentity } from '../decision/carrier.ts';

/** What a carrier decided of how its own policies and sales are judged, today and of days past. */
export const carrierSettings = fields(() => ({
  /** Whether each of its policies names who sold it. */
  policiesNameAgents: z._default(z.boolean(), true),
  /** Days within which the registry must have confirmed what an answer rests on; null for any. */
  verifiedWithinDays: z._default(z.nullable(z.int()), null),
}));

const storedCarrier = storedItem(
  'organizations/carrier-identity',
  object(() => ({ ...carrierIdentity.shape, ...carrierSettings.shape })),
);

/** What governs a carrier's answers now, whatever was recorded when. */
export type CarrierOfNow = z.output<typeof storedCarrier>;

/**
 * The identity and the settings of an organization, from its item: a read that needs no other and is sent together with those of
 * the records. That of an organization that does not exist matches no appointment.
 */
export type CarrierIdentityOf = (organizationId: string) => Promise<CarrierOfNow>;

const nobody: CarrierOfNow = {
  name: '',
  naicCodes: [],
  eins: [],
  policiesNameAgents: true,
  verifiedWithinDays: null,
};

export const createCarrierIdentityOf =
  (organizations: Pick<Table, 'get'>): CarrierIdentityOf =>
  async (organizationId) => {
    const key = organizationKeys.organization(organizationId);
    return (await organizations.get(storedCarrier, key, { consistent: false })) ?? nobody;
  };
