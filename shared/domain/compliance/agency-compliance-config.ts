import { described } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { market } from '../associations/market.ts';
import { complianceConfig } from './resource.ts';

/** What a product of one of an agency's markets requires of its producers, by state. */
export const agencyComplianceConfig = described(
  lazyObject(() => {
    const { upstreamDownstreamAssociationId, downstreamEntityId, upstreamEntityName } = market.shape;
    return {
      upstreamDownstreamAssociationId,
      downstreamEntityId,
      upstreamEntityName,
      ...complianceConfig.shape,
    };
  }),
  DOCUMENTED && {
    id: 'MarketComplianceConfig',
    description: 'What a product of a market’s carrier requires of its producers, by state.',
    examples: [
      {
        upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        upstreamEntityName: 'Beacon Specialty',
        productId: '65f0c1d2e3a4b5c6d7e8f905',
        productName: 'Contractors General Liability',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
        validFrom: '2026-04-15',
      },
    ],
  },
);
