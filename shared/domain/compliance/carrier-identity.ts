import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { organizationKeys } from '../../platform/identity/organization-keys.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';

/** What the registry knows a carrier by. */
export const carrierIdentity = object(() => ({
  name: z.string(),
  naicCodes: z._default(z.array(z.string()), []),
  eins: z._default(z.array(z.string()), []),
}));

/** What the registry knew a carrier by until its identity changed. */
export const formerIdentity = object(() => ({ ...carrierIdentity.shape, until: timestamp }));

/** A former identity as a message or an item holds it. */
export type FormerIdentity = z.output<typeof formerIdentity>;

const storedIdentity = storedItem('organizations/carrier-identity', carrierIdentity);

/**
 * The identity of an organization, from its item: a read that needs no other and is sent together with those of the
 * records. That of an organization that does not exist matches no appointment.
 */
export type CarrierIdentityOf = (organizationId: string) => Promise<CarrierIdentity>;

const nobody: CarrierIdentity = { name: '', naicCodes: [], eins: [] };

export const createCarrierIdentityOf =
  (organizations: Table): CarrierIdentityOf =>
  async (organizationId) => {
    const key = organizationKeys.organization(organizationId);
    return (await organizations.get(storedIdentity, key, { consistent: false })) ?? nobody;
  };
