// A made carrier with its agencies and a file of its policy transactions, of which it is known whose each one is. Everything
// follows from the seed, so that a wrong match can be looked at.
import { derivedObjectId } from '#platform/data/keys.ts';
import { type Agency, type Branch, type MadeCarrier, makeCarrier } from './made-carrier.ts';
import { type Random, randomOf } from './random.ts';

/** What was done to a transaction before it was written into the file. */
export type Kind =
  | 'exact'
  | 'misspelled name'
  | 'swapped digits'
  | 'moved producer'
  | 'moved code'
  | 'name only'
  | 'misspelled branch'
  | 'nobody';

interface MadeTransaction {
  readonly kind: Kind;
  readonly record: Readonly<Record<string, unknown>> & { readonly uniqueTransactionId: string };
  /** The association that the transaction is about; undefined for an agency that the carrier does not have. */
  readonly associationId: string | undefined;
  readonly agentId: string | undefined;
  /** Whether exactly one agency holds undisputed evidence of 0.95 or more. */
  readonly isCertain: boolean;
}

export interface MadeFile {
  readonly carrier: MadeCarrier;
  /** In the order of the file; duplicates and amendments come after what they repeat. */
  readonly lines: readonly MadeTransaction[];
  /** How the transactions of each id must be stored. */
  readonly expected: ReadonlyMap<string, { readonly last: MadeTransaction; readonly isAmended: boolean }>;
}

/** Of 100 transactions, how many are of each kind. */
const weights: readonly (readonly [Kind, number])[] = [
  ['exact', 48],
  ['misspelled name', 15],
  ['swapped digits', 14],
  ['moved producer', 7],
  ['moved code', 5],
  ['name only', 6],
  ['misspelled branch', 2],
  ['nobody', 3],
];

export const kinds: readonly Kind[] = weights.map(([kind]) => kind);

/** Of 100 lines, how many repeat an earlier one, as it is or with another premium. */
const [duplicates, amendments] = [4, 4];

const transactionsOfPolicy = 2;

/** One mistake in a text: a letter left out, doubled, replaced, or swapped with its neighbor, not the first of a word. */
export function misspelled(text: string, random: Random): string {
  const places = [...text.matchAll(/\p{L}(?=\p{L})/gu)].map(({ index }) => index + 1);
  const at = random.pick(places);
  const [before, letter, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  return random.pick([
    () => before + after,
    () => before + letter + letter + after,
    () => before + random.pick([...'aeioustrnl']) + after,
    () => before + after.charAt(0) + letter + after.slice(1),
  ])();
}

/** A name as another system writes it. */
const restyled = (name: string, random: Random): string =>
  random.pick([
    name,
    name.toUpperCase(),
    `${name}, LLC`,
    `${name} Inc.`,
    name.replaceAll(' ', '  ').toLowerCase(),
  ]);

/** The evidence that tells where a transaction belongs in an agency with branches. */
function placeOf(branch: Branch, random: Random): Record<string, unknown> {
  if (branch.branchName === null) return random.chance(30) ? { producerCode: branch.producerCode } : {};
  return random.chance(50) ? { producerCode: branch.producerCode } : { branchName: branch.branchName };
}

/** Some further evidence of the agency, which is right. */
const furtherEvidence = (agency: Agency, random: Random): Record<string, unknown> => ({
  ...(random.chance(40) ? { agencyFein: agency.ein.replace('-', '') } : {}),
  ...(random.chance(30)
    ? { agencyLicenseNumber: agency.licenseNumber, agencyLicensedStateCode: agency.stateCode }
    : {}),
});

interface Written {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isCertain: boolean;
}

type Writer = (place: { agency: Agency; branch: Branch }, random: Random, carrier: MadeCarrier) => Written;

const named = (agency: Agency, random: Random) => ({ agencyName: restyled(agency.legalName, random) });

const writers: Readonly<Record<Kind, Writer>> = {
  exact: ({ agency, branch }, random) => ({
    fields: {
      ...named(agency, random),
      agencyNpn: agency.npn,
      ...furtherEvidence(agency, random),
      ...placeOf(branch, random),
    },
    isCertain: true,
  }),
  'misspelled name': ({ agency, branch }, random) => ({
    fields: {
      agencyName: misspelled(agency.legalName, random),
      ...(random.chance(60) ? { agencyNpn: agency.npn } : { agencyFein: agency.ein }),
      ...placeOf(branch, random),
    },
    isCertain: true,
  }),
  'swapped digits': ({ agency, branch }, random, { byNpn }) => {
    const agencyNpn = random.chance(60) ? agency.twinNpn : random.swapped(agency.npn);
    const further = furtherEvidence(agency, random);
    const place = placeOf(branch, random);
    return {
      fields: {
        agencyName: random.chance(30)
          ? misspelled(agency.legalName, random)
          : restyled(agency.legalName, random),
        agencyNpn,
        ...further,
        ...place,
      },
      // Another NPN than the agency's disputes it, somebody's or nobody's.
      isCertain: byNpn.get(agencyNpn) === agency,
    };
  },
  'moved producer': (place, random, carrier) => writers.exact(place, random, carrier),
  'moved code': ({ agency }, random, { agencies }) => {
    const other = random.pick(agencies.filter((one) => one !== agency));
    return {
      fields: {
        ...named(agency, random),
        ...(random.chance(50) ? { agencyNpn: agency.npn } : {}),
        producerCode: random.pick(other.branches).producerCode,
      },
      isCertain: false,
    };
  },
  'name only': ({ agency, branch }, random) => ({
    fields: {
      agencyName: random.chance(50)
        ? misspelled(agency.legalName, random)
        : restyled(agency.legalName, random),
      ...(branch.branchName === null ? {} : { branchName: branch.branchName }),
    },
    isCertain: false,
  }),
  'misspelled branch': ({ agency, branch }, random) => ({
    fields: {
      ...named(agency, random),
      agencyNpn: agency.npn,
      ...(branch.branchName === null ? {} : { branchName: misspelled(branch.branchName, random) }),
    },
    isCertain: true,
  }),
  nobody: (_place, random) => ({
    fields: {
      agencyName: `Zephyr ${random.digits(4)} Agency`,
      agencyNpn: `99${random.digits(6)}`,
      agencyFein: `99-${random.digits(7)}`,
    },
    isCertain: false,
  }),
};

function kindOf(random: Random): Kind {
  let left = random.below(100);
  for (const [kind, weight] of weights) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'exact';
}

function makeTransaction(index: number, carrier: MadeCarrier, random: Random): MadeTransaction {
  const kind = kindOf(random);
  const withBranches = carrier.agencies.filter(({ branches }) => branches.length > 1);
  const agency = random.pick(kind === 'misspelled branch' ? withBranches : carrier.agencies);
  const branch = random.pick(kind === 'misspelled branch' ? agency.branches.slice(1) : agency.branches);
  const { fields, isCertain } = writers[kind]({ agency, branch }, random, carrier);
  const agentsAgency = kind === 'moved producer' ? random.pick(carrier.agencies) : agency;
  const agent = kind === 'nobody' ? undefined : random.pick(agentsAgency.agents);
  const isNobody = kind === 'nobody';
  // A code that moved names a branch of another agency; the policy is still the main office's.
  const truth = kind === 'moved code' ? agency.branches[0] : branch;
  return {
    kind,
    record: {
      type: 'policy-transaction',
      policyNumber: `MADE-${Math.floor(index / transactionsOfPolicy)}`,
      policyTransactionType: 'New',
      policyTransactionDate: '2026-01-01',
      riskStateCode: agency.stateCode,
      uniqueTransactionId: `made-${index}`,
      insuredEntityName: `Insured ${random.digits(5)} LLC`,
      productName: 'Contractors General Liability',
      premiumAmountInUSD: random.below(100_000),
      ...fields,
      ...(agent === undefined
        ? {}
        : { agentNpn: agent.npn, agentName: `${agent.firstName} ${agent.lastName}` }),
    },
    associationId: isNobody ? undefined : truth?.associationId,
    agentId: agent?._id,
    isCertain,
  };
}

/** Makes a carrier with some agencies, at most 200, and a file of `count` lines. */
export function makeFile(seed: string, count: number, agencies: number): MadeFile {
  const random = randomOf(seed);
  const carrier = makeCarrier(agencies, random, (...words) => derivedObjectId(seed, ...words));
  const lines: MadeTransaction[] = [];
  const expected = new Map<string, { last: MadeTransaction; isAmended: boolean }>();
  for (let index = 0; index < count; index += 1) {
    const roll = lines.length === 0 ? 100 : random.below(100);
    const earlier =
      roll < duplicates + amendments ? expected.get(random.pick([...expected.keys()])) : undefined;
    const isAmendment = earlier !== undefined && roll >= duplicates;
    const one = earlier?.last ?? makeTransaction(index, carrier, random);
    const line = isAmendment
      ? { ...one, record: { ...one.record, premiumAmountInUSD: 100_000 + random.below(100_000) } }
      : one;
    lines.push(line);
    const isAmended = isAmendment || earlier?.isAmended === true;
    expected.set(line.record.uniqueTransactionId, { last: line, isAmended });
  }
  return { carrier, lines, expected };
}
