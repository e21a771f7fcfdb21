import type { Random } from './random.ts';

interface MadeAgent {
  readonly _id: string;
  readonly npn: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The association with an agency, or with one of its branches. */
export interface Branch {
  readonly associationId: string;
  readonly producerCode: string;
  readonly branchName: string | null;
}

export interface Agency {
  readonly _id: string;
  readonly legalName: string;
  readonly npn: string;
  /** The NPN with two digits swapped, which another agency of the carrier may have. */
  readonly twinNpn: string;
  readonly ein: string;
  readonly stateCode: string;
  readonly licenseNumber: string;
  /** The main office first. */
  readonly branches: readonly Branch[];
  readonly agents: readonly MadeAgent[];
}

export interface MadeCarrier {
  readonly agencies: readonly Agency[];
  readonly byNpn: ReadonlyMap<string, Agency>;
  /** Lines that import agencies, associations, licenses, agents, and the product. */
  readonly records: readonly object[];
}

const [beginnings, endings, trades] = [
  'Lone Harbor Summit Cedar Granite Liberty Prairie Coastal Hudson Redwood Pioneer Beacon Sierra Delta Falcon Maple Juniper Copper Ember Willow',
  'Star Ridge Valley Crest Bridge Haven Point Meadow Canyon Shore',
  'Brokerage|Insurance Agency|Insurance Services|Risk Partners|Underwriters|Agency Group',
].map((words) => words.split(words.includes('|') ? '|' : ' ')) as [string[], string[], string[]];

const firstNames = [
  'Maria',
  'Daniel',
  'Grace',
  'Andre',
  'Priya',
  'Thomas',
  'Wei',
  'Fatima',
  'Oscar',
  'Helen',
];
const lastNames = [
  'Delgado',
  'Okafor',
  'Lindholm',
  'Baptiste',
  'Raman',
  'Whitfield',
  'Zhang',
  'Haddad',
  'Brandt',
  'Moreau',
];
const places = ['Austin', 'Dallas', 'Houston', 'Albany', 'Fresno', 'Orlando'];
const states = ['TX', 'NY', 'CA', 'FL', 'OK', 'LA'];

type IdOf = (...words: readonly string[]) => string;

/** A number that no other has. */
function fresh(taken: Set<string>, make: () => string): string {
  for (;;) {
    const number = make();
    if (taken.has(number)) continue;
    taken.add(number);
    return number;
  }
}

/** An agency; a third of them have the NPN of the one before them with two digits swapped. */
function makeAgency(
  index: number,
  before: Agency | undefined,
  { random, taken, idOf }: { readonly random: Random; readonly taken: Set<string>; readonly idOf: IdOf },
): Agency {
  const name = [
    beginnings[Math.floor(index / endings.length) % beginnings.length],
    endings[index % endings.length],
    random.pick(trades),
  ];
  const isTwin = before !== undefined && index % 3 === 0 && !taken.has(before.twinNpn);
  const npn = isTwin ? before.twinNpn : fresh(taken, () => `1${random.digits(7)}`);
  taken.add(npn);
  const branchNames = random.chance(25) ? places.slice(0, 1 + random.below(places.length - 1)) : [];
  return {
    _id: idOf('agency', String(index)),
    legalName: name.join(' '),
    npn,
    twinNpn: isTwin ? before.npn : random.swapped(npn),
    ein: fresh(taken, () => `1${random.digits(1)}-${random.digits(7)}`),
    stateCode: random.pick(states),
    licenseNumber: fresh(taken, () => random.digits(7)),
    branches: [null, ...branchNames].map((branchName) => ({
      associationId: idOf('association', String(index), branchName ?? ''),
      producerCode: fresh(taken, () => `P-${random.digits(6)}`),
      branchName,
    })),
    agents: [0, 1, 2].map((agent) => ({
      _id: idOf('agent', String(index), String(agent)),
      npn: fresh(taken, () => `2${random.digits(7)}`),
      firstName: random.pick(firstNames),
      lastName: random.pick(lastNames),
    })),
  };
}

const recordsOf = ({ _id, legalName, npn, ein, stateCode, licenseNumber, branches, agents }: Agency) => [
  { type: 'downstream-entity', _id, legalName, npn, ein },
  ...branches.map(({ associationId, producerCode, branchName }) => ({
    type: 'association',
    _id: associationId,
    externalId: associationId,
    downstreamEntityId: _id,
    producerCode,
    branchName,
  })),
  {
    type: 'license',
    status: 'active',
    licenseClassName: 'Insurance Producer',
    residencyStatus: 'resident',
    npn,
    stateCode,
    licenseNumber,
  },
  ...agents.map((agent) => ({
    type: 'agent',
    ...agent,
    downstreamEntityAssociationIds: [branches[0]?.associationId],
  })),
];

/** Makes a carrier with agencies, of which some have branches under one NPN, and some NPNs differ by two swapped digits. */
export function makeCarrier(count: number, random: Random, idOf: IdOf): MadeCarrier {
  const taken = new Set<string>();
  const agencies: Agency[] = [];
  for (let index = 0; index < count; index += 1) {
    agencies.push(makeAgency(index, agencies.at(-1), { random, taken, idOf }));
  }
  const product = {
    type: 'compliance-config',
    productId: idOf('product'),
    productName: 'Contractors General Liability',
    states: [],
  };
  return {
    agencies,
    byNpn: new Map(agencies.map((agency) => [agency.npn, agency])),
    records: [...agencies.flatMap(recordsOf), product],
  };
}
