/** Associations and contract templates of the demo carrier. */

interface DemoPlaces {
  /** The demo agency, and the carrier's association with it. */
  readonly downstreamEntityId: string;
  readonly downstreamEntityAssociationId: string;
}

/** The other agencies of the demo's policies. */
const others = [
  {
    legalName: 'Hudson Valley Risk Partners',
    npn: '18233410',
    ein: '14-2233445',
    category: 'wholesale brokerage',
  },
  { legalName: 'Pacific Crest Insurance Services', npn: '16550982', category: 'agency' },
  { legalName: 'Gulf Shore Underwriters', npn: '19001763', category: 'agency network' },
] as const;

/** What the carrier imports: the demo agency with a branch, other agencies, and templates of contracts. */
export function demoAssociations({
  downstreamEntityId,
  downstreamEntityAssociationId,
}: DemoPlaces): Record<string, unknown>[] {
  return [
    {
      type: 'association',
      _id: downstreamEntityAssociationId,
      downstreamEntityId,
      externalId: 'AG-0042',
      producerCode: 'P-7700',
    },
    {
      type: 'association',
      downstreamEntityId,
      externalId: 'AG-0043',
      branchName: 'Austin',
      parentDownstreamEntityAssociationId: downstreamEntityAssociationId,
    },
    ...others.map((downstreamEntity, index) => ({
      type: 'association',
      downstreamEntity,
      externalId: `AG-${1_001 + index}`,
      producerCode: `P-${7_701 + index}`,
      status: index === 2 ? 'inactive' : 'active',
    })),
    {
      type: 'contract-container-template',
      name: 'Producer agreement 2026',
      description: 'Agreement, commission schedule and W-9.',
    },
    { type: 'contract-container-template', name: 'Surplus lines addendum' },
    { type: 'contract-container-template', name: 'Producer agreement 2024', isActive: false },
  ];
}
