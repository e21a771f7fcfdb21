// A carrier whose agencies, agents, and products the tests of matching look for.
import { randomBytes } from 'node:crypto';
import { given, newOwner } from './carrier-records.ts';
import { agent as agentLine, associationWith, license } from './import-lines.ts';

/** A new id. */
export const id = (): string => randomBytes(12).toString('hex');

/** Agencies. */
export const [lone, gulf, hudson, twin, other] = [id(), id(), id(), id(), id()];
/** Associations. */
export const [main, austin, dallas, gulfMain] = [id(), id(), id(), id()];
export const [hudsonNorth, hudsonSouth, twinMain, otherMain] = [id(), id(), id(), id()];
/** Agents. */
export const [maria, daniel, danielAtGulf] = [id(), id(), id()];
/** Products. */
export const [liability, cyber, cyberPlus] = [id(), id(), id()];

export const agency = (_id: string, legalName: string, npn: string | null, ein: string | null) => ({
  type: 'downstream-entity',
  ...{ _id, legalName, npn, ein },
});

export const association = (_id: string, downstreamEntityId: string, fields: object = {}) =>
  associationWith(_id, downstreamEntityId, { externalId: _id, ...fields });

const product = (productId: string, productName: string, productCode: string) => ({
  type: 'compliance-config',
  ...{ productId, productName, productCode, states: [] },
});
const okafor = { firstName: 'Daniel', lastName: 'Okafor' };

/** A carrier with these agencies, agents, and products. */
export let owner: string;

/** Makes the carrier with its agencies. */
export async function createCarrier(): Promise<void> {
  owner = await newOwner();
  await given(
    owner,
    agency(lone, 'Lone Star Brokerage, Inc.', '17654321', '75-7654321'),
    agency(gulf, 'Gulf Shore Insurance Agency', '19001763', '65-1112223'),
    agency(hudson, 'Hudson Valley Risk Partners', '18233410', null),
    agency(twin, 'Gulf Shore Insurance Agency LLC', '19001764', '65-1112223'),
    agency(other, 'Meridian Insurance Agency', '19001765', null),
    association(main, lone, { producerCode: 'P-1' }),
    association(austin, lone, { producerCode: 'P-2', branchName: 'Austin' }),
    association(dallas, lone, { branchName: 'Dallas' }),
    association(gulfMain, gulf, { producerCode: 'P-3' }),
    association(hudsonNorth, hudson, { branchName: 'North' }),
    association(hudsonSouth, hudson, { branchName: 'South' }),
    association(twinMain, twin),
    association(otherMain, other, { producerCode: 'P-5' }),
    license({ npn: '17654321', stateCode: 'TX', licenseNumber: '1456789' }),
    license({ npn: '19001763', stateCode: 'CA', licenseNumber: '0C12345' }),
    license({ npn: '8123456', stateCode: 'TX', licenseNumber: '2210457' }),
    agentLine({ _id: maria, downstreamEntityAssociationIds: [main] }),
    agentLine({ _id: daniel, npn: '9034417', ...okafor, downstreamEntityAssociationIds: [main] }),
    agentLine({ _id: danielAtGulf, npn: '9034418', ...okafor, downstreamEntityAssociationIds: [gulfMain] }),
    product(liability, 'Contractors GL', 'CGL'),
    product(cyber, 'Cyber Secure', 'CY1'),
    product(cyberPlus, 'Cyber Secure', 'CY2'),
  );
}

/** What a transaction says of an agency that was found. */
export const auto = (entityMatchConfidence: number, downstreamEntityId: string, associationId: string) => ({
  entityMatchStatus: 'auto matched',
  entityMatchConfidence,
  downstreamEntityId,
  upstreamDownstreamAssociationId: associationId,
});
/** What a transaction says of an agency that a person must decide about. */
export const review = (entityMatchConfidence: number) => ({
  entityMatchStatus: 'manual review',
  entityMatchConfidence,
});

/** What a transaction says of an agent that was found. */
export const agent = (agentId: string, matchSource: string, matchConfidence: number) => ({
  agentId,
  matchSource,
  matchConfidence,
  matchedAt: '2026-07-01T12:00:00.000Z',
});
