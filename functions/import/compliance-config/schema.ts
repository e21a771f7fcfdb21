import * as z from 'zod/mini';
import { complianceConfig, stateRequirement } from '../../../shared/domain/compliance/resource.ts';
import { ownedFields } from '../common-fields.ts';

const { productId, productName, productCode, carrierNaicCodes, validFrom } = complianceConfig.shape;

/** What a carrier's product requires of producers, as the resource shows it. */
export const complianceConfigRecord = z.strictObject({
  type: z.literal('compliance-config'),
  ...ownedFields,
  productId,
  productName,
  productCode,
  carrierNaicCodes,
  validFrom: z.optional(validFrom),
  states: z.array(
    z.strictObject({
      ...stateRequirement.shape,
      linesOfAuthority: z._default(stateRequirement.shape.linesOfAuthority, []),
      appointment: z._default(stateRequirement.shape.appointment, 'not required'),
    }),
  ),
});
