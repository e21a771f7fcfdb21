import { object } from '../../platform/contract/object.ts';
import { market } from '../associations/resource.ts';
import { complianceConfig } from '../decision/compliance-config.ts';

/** What a product of one of an agency's markets requires of its producers, by state. */
export const agencyComplianceConfig = object(() => {
  const { upstreamDownstreamAssociationId, downstreamEntityId, upstreamEntityName } = market.shape;
  return {
    upstreamDownstreamAssociationId,
    downstreamEntityId,
    upstreamEntityName,
    ...complianceConfig.shape,
  };
});
