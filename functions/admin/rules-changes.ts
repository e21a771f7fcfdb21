import * as z from 'zod/mini';
import {
  createBaselineOf,
  createNpnPages,
  createRecordedConfigs,
  differences,
  firstNpns,
  type NpnsAfter,
  npnsAfter,
  reported,
  statusesAt,
} from '../../shared/domain/baselines/baseline.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { configHeads, createCarrierIdentityOf } from '../../shared/domain/compliance/store.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { createOrganizations } from '../../shared/platform/identity/organizations.ts';

export const rulesChangesInput = z.strictObject({ organizationId: objectId, after: z.optional(npnsAfter) });

/** The names of a status: the compliance status, and those of license and appointment. */
const answer = z.tuple([z.string(), z.string(), z.string()]);

/** A party whose answer is another one since other rules were last applied to it. */
export const rulesChange = z.object({
  npn: z.string(),
  party: z.enum(['agent', 'agency']),
  productId: z.string(),
  productName: z.string(),
  stateCode: z.string(),
  rulesBefore: z.int(),
  before: answer,
  after: answer,
});

type RulesChange = z.output<typeof rulesChange>;

/** NPNs whose answers are made at the same time, and those of a call. */
const concurrency = 8;
const npnsOfCall = 500;

const answerOf = (names: string): RulesChange['before'] => {
  const [complianceStatus = '', licenseStatus = '', appointmentStatus = ''] = names.split('/');
  return [complianceStatus, licenseStatus, appointmentStatus];
};

/**
 * Lists whose answers the present rules changed: of the last report by the rules before, what they said, and what the present ones
 * say of what was known then. A call lists some of the NPNs, and says where the next one goes on.
 */
export function createRulesChanges(
  tables: Tables<'agents' | 'associations' | 'compliance' | 'organizations' | 'registryRecords'>,
) {
  const npnPages = createNpnPages(tables);
  const baselineOf = createBaselineOf(tables.compliance);
  const recordedFacts = createRecordedFacts(tables.registryRecords);
  const recordedConfigs = createRecordedConfigs(tables.compliance);
  const organizations = createOrganizations(tables.organizations);

  async function inputsOf(owner: string) {
    const [carrier, classKinds, heads] = await Promise.all([
      createCarrierIdentityOf(tables.organizations)(owner),
      createClassKindsOf(tables.compliance)(owner),
      configHeads(tables.compliance, owner),
    ]);
    return { carrier, classKinds, heads };
  }

  async function changesOf(
    owner: string,
    npn: string,
    party: RulesChange['party'],
    { carrier, classKinds, heads }: Awaited<ReturnType<typeof inputsOf>>,
  ): Promise<RulesChange[]> {
    const last = await baselineOf(owner, npn);
    const byOthers = last?.rules === rulesNumber ? last.byRulesBefore : last;
    const before = byOthers?.[party];
    if (byOthers === undefined || before === undefined) return [];
    const { at, rules: rulesBefore } = byOthers;
    const facts = await recordedFacts.factsOf(owner, npn);
    const configs = await recordedConfigs(owner, heads, { facts, classKinds }, [at], at);
    const recorded = { facts, configs, classKinds, carrier, carriersBefore: [] };
    const after = reported(statusesAt(party, recorded, at));
    return differences(before, after).map(({ was, is, ...of }) => {
      return { npn, party, rulesBefore, ...of, before: answerOf(was), after: answerOf(is) };
    });
  }

  return async ({
    organizationId: owner,
    after = firstNpns,
  }: z.output<typeof rulesChangesInput>): Promise<{
    readonly changes: RulesChange[];
    readonly next?: NpnsAfter;
  }> => {
    existing(await organizations.find(owner));
    const inputs = await inputsOf(owner);
    const { npns, next } = await npnPages(owner, after, npnsOfCall);
    // Who is a producer and an agency has both baselines in one item.
    const party = after.of === 'agents' ? 'agent' : 'agency';
    const changes = await mapConcurrently(npns, concurrency, (npn) => changesOf(owner, npn, party, inputs));
    return { changes: changes.flat(), ...(next === 'done' ? {} : { next }) };
  };
}
