import { comparableEin } from '../identifiers/comparable-ein.ts';
import { comparableName } from '../matching/names.ts';
import type { AppointmentRow } from './facts.ts';

/** What the registry knows a carrier by: NAIC company codes and EINs, or its name where it has neither. */
export interface CarrierIdentity {
  readonly name: string;
  readonly naicCodes: readonly string[];
  readonly eins: readonly string[];
}

/**
 * Whether a carrier made an appointment (OpenAPI, "How compliance is decided").
 *
 * @param companyCode that of the appointment's company: a row itself may have none.
 * @param productCodes NAIC codes of the insurers of a product, if it names some: they replace the carrier's identity.
 */
export function isAppointedBy(
  { carrierName, ein }: Pick<AppointmentRow, 'carrierName' | 'ein'>,
  companyCode: string | null,
  { name, naicCodes, eins }: CarrierIdentity,
  productCodes: readonly string[] | undefined,
): boolean {
  if (productCodes !== undefined) return companyCode !== null && productCodes.includes(companyCode);
  if (naicCodes.length + eins.length === 0) {
    const known = comparableName(name);
    return known !== '' && known === comparableName(carrierName ?? '');
  }
  const itsEin = comparableEin(ein ?? '');
  return (
    (companyCode !== null && naicCodes.includes(companyCode)) ||
    eins.some((one) => comparableEin(one) === itsEin)
  );
}
