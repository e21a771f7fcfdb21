import { importLines, newOwner } from '../support/carrier-records.ts';
import { agent as agentLine } from '../support/import-lines.ts';
import {
  agency,
  agent,
  association,
  createCarrier,
  daniel,
  danielAtGulf,
  id,
  maria,
  owner,
} from '../support/matched-carrier.ts';
import { imported, policyOf } from '../support/policies-tests.ts';

beforeAll(createCarrier);

const npn = { agentNpn: '8123456' };
const license = { agentLicenseNumber: '2210457', agentLicensedState: 'TX' };
const ofLone = { agencyNpn: '17654321' };
const [matched, inReview, unmatched] = ['auto matched', 'manual review', 'unmatched'] as const;

describe('the agents of a transaction', () => {
  it.each<[what: string, fields: object, status: string, agents: readonly object[]]>([
    ['an NPN', npn, matched, [agent(maria, 'npn', 1)]],
    ['a license with its state', license, matched, [agent(maria, 'license', 0.95)]],
    [
      'a name within the matched agency',
      { ...ofLone, agentName: 'Okafor, Daniel J.' },
      inReview,
      [agent(daniel, 'name', 0.8)],
    ],
    ['a name without an agency', { agentName: 'Daniel Okafor' }, unmatched, []],
    [
      'an NPN of a person with another name',
      { ...npn, agentName: 'Grace Lindholm' },
      inReview,
      [agent(maria, 'npn', 1)],
    ],
    [
      'a license of a person with another name',
      { ...license, agentName: 'Grace Lindholm' },
      inReview,
      [agent(maria, 'license', 0.95)],
    ],
    [
      'an NPN and a license of a person with another name',
      { ...npn, ...license, agentName: 'LINDHOLM, GRACE' },
      inReview,
      [agent(maria, 'npn', 1)],
    ],
    [
      'evidence of different people',
      { agentNpn: '9034417', ...license },
      inReview,
      [agent(daniel, 'npn', 1), agent(maria, 'license', 0.95)],
    ],
    [
      'a producer who works elsewhere by now',
      { ...ofLone, agentNpn: '9034418', agentName: 'D. Okafor' },
      matched,
      [agent(danielAtGulf, 'npn', 1)],
    ],
    [
      'an NPN of a person with whom only the first name is in common',
      { ...npn, agentName: 'Maria Garcia' },
      inReview,
      [agent(maria, 'npn', 1)],
    ],
    ['an NPN that a file fills up with zeros', { agentNpn: '0008123456' }, matched, [agent(maria, 'npn', 1)]],
    [
      'an NPN of nobody beside a license',
      { agentNpn: '99999999', ...license },
      inReview,
      [agent(maria, 'license', 0.95)],
    ],
    [
      'a last name with another one after a hyphen',
      { ...ofLone, agentName: 'Daniel Okafor-Lindholm' },
      inReview,
      [agent(daniel, 'name', 0.8)],
    ],
    ['nobody', { agentNpn: '1', agentName: 'Nobody' }, unmatched, []],
    [
      'agents that the record names',
      { ...npn, matchedAgents: [agent(daniel, 'user', 1)] },
      matched,
      [agent(daniel, 'user', 1)],
    ],
    ['the status that the record has', { ...npn, agentMatchStatus: unmatched }, unmatched, []],
  ])('%s', async (_what, fields, agentMatchStatus, matchedAgents) => {
    expect(await imported(owner, fields)).toMatchObject({ agentMatchStatus, matchedAgents });
  });
});

it('an agent with two last names is found by either, and no longer by one that is gone', async () => {
  const [carrier, entity, relation, ana] = [await newOwner(), id(), id(), id()];
  const record = (lastName: string) =>
    agentLine({
      _id: ana,
      npn: '0072000001',
      firstName: 'Ana',
      lastName,
      downstreamEntityAssociationIds: [relation],
    });
  await importLines(carrier, [
    agency(entity, 'Busy Agency', '77', null),
    association(relation, entity),
    record('Delgado-Ruiz'),
  ]);
  const found = async (fields: object) =>
    (await imported(carrier, { agencyNpn: '77', ...fields })).matchedAgents;
  const isAna = (matchSource: string, confidence: number) => [
    { ...agent(ana, matchSource, confidence), matchedAt: expect.any(String) },
  ];
  for (const agentName of ['Ana Delgado', 'Ruiz, Ana', 'Ana DelgadoRuiz', 'Ana Delgado Ruiz']) {
    expect(await found({ agentName })).toEqual(isAna('name', 0.8));
  }
  expect(await found({ agentNpn: '72000001' })).toEqual(isAna('npn', 1));
  await importLines(carrier, [record('Ruiz')]);
  expect(await found({ agentName: 'Ana Delgado' })).toEqual([]);
  expect(await found({ agentName: 'Ana Ruiz' })).toEqual(isAna('name', 0.8));
});

describe('the product of a policy', () => {
  it.each<[what: string, fields: object, status: string]>([
    ['its code', { productCode: 'cgl' }, 'auto matched'],
    ['its code in full-width characters', { productCode: 'ＣＧＬ' }, 'auto matched'],
    ['its name', { productName: 'CONTRACTORS GL' }, 'auto matched'],
    ['a name of several products', { productName: 'Cyber Secure' }, 'needs clarification'],
    ['a code tells them apart', { productName: 'Cyber Secure', productCode: 'CY2' }, 'auto matched'],
    ['a code, whatever the name says', { productName: 'Contractors GL', productCode: 'CY2' }, 'auto matched'],
    [
      'its name, beside a code of no product',
      { productName: 'Contractors GL', productCode: 'B' },
      'auto matched',
    ],
    ['a product without a config', { productName: 'Boats', productCode: 'B' }, 'unmatched'],
    ['none', {}, 'unmatched'],
  ])('%s', async (_what, fields, productMatchStatus) => {
    const { policyNumber } = await imported(owner, fields);
    expect(await policyOf(owner, policyNumber)).toMatchObject({ productMatchStatus });
  });

  it('is what the policy’s own record says', async () => {
    const { policyNumber } = await imported(owner, { productCode: 'CGL' });
    await importLines(owner, [{ type: 'policy', policyNumber, productMatchStatus: 'needs clarification' }]);
    expect(await policyOf(owner, policyNumber)).toMatchObject({ productMatchStatus: 'needs clarification' });
  });
});
