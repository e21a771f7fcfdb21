import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { organizationKeys } from '../../platform/identity/organization-keys.ts';
import { comparableEin } from '../identifiers/comparable-ein.ts';
import { comparableName } from '../matching/names.ts';
import type { Appointment } from '../registry-records/appointment.ts';

const carrierIdentity = compatible(
  'organizations/carrier-identity',
  lazyObject(() => ({
    name: z.string(),
    naicCodes: z._default(z.array(z.string()), []),
    eins: z._default(z.array(z.string()), []),
  })),
);

/** What the registry knows a carrier by: NAIC company codes and EINs, or its name where it has neither. */
export type CarrierIdentity = z.output<typeof carrierIdentity>;

/**
 * The identity of an organization, from its item: a read that needs no other and is sent together with those of the
 * records. That of an organization that does not exist matches no appointment.
 */
export type CarrierIdentityOf = (organizationId: string) => Promise<CarrierIdentity>;

const nobody: CarrierIdentity = { name: '', naicCodes: [], eins: [] };

export const createCarrierIdentityOf =
  (client: DynamoDBClient, organizationsTable: string): CarrierIdentityOf =>
  async (organizationId) => {
    const key = organizationKeys.organization(organizationId);
    return (await getItem(client, organizationsTable, key, carrierIdentity, { consistent: false })) ?? nobody;
  };

/** The members of an appointment that say whose it is. */
export type AppointingCarrier = Pick<Appointment, 'carrierName' | 'companyCode' | 'ein'>;

/**
 * Whether a carrier made an appointment (OpenAPI, "listAgentLicenseComplianceStatuses"): by NAIC code or EIN; by name
 * where the carrier has neither.
 *
 * @param productCodes NAIC codes of the insurers of a product, if it names some: they replace the carrier's identity.
 */
export function isAppointedBy(
  { carrierName, companyCode, ein }: AppointingCarrier,
  { name, naicCodes, eins }: CarrierIdentity,
  productCodes: readonly string[] | undefined,
): boolean {
  const code = companyCode?.trim() ?? '';
  if (productCodes !== undefined) return productCodes.includes(code);
  if (naicCodes.length + eins.length === 0) {
    const known = comparableName(name);
    return known !== '' && known === comparableName(carrierName ?? '');
  }
  const itsEin = comparableEin(ein ?? '');
  return naicCodes.includes(code) || eins.some((one) => comparableEin(one) === itsEin);
}
