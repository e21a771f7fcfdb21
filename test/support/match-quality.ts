import type { PolicyTransaction } from '#domain/policies/resource.ts';
import type { Kind, MadeFile } from './made-policies.ts';

/** How well a made file was matched. */
interface MatchQuality {
  /** Of the transactions that were `auto matched`, the part whose association is right. */
  readonly precision: number;
  /** Of those whose agency is certain, the part that was `auto matched`, rightly. */
  readonly recall: number;
  /** Of the transactions whose agents were `auto matched`, the part whose agent is right. */
  readonly agentPrecision: number;
  readonly autoMatched: number;
  readonly certain: number;
  /** What is wrong, with its kind and the record, to be looked at. */
  readonly wrong: readonly { readonly kind: Kind; readonly record: object }[];
  /** Ids of transactions whose number, content, or `dedupResult` is not as the file says. */
  readonly misdeduplicated: readonly string[];
}

/** Compares what is stored with what the generator knows. */
export function qualityOf({ expected }: MadeFile, stored: readonly PolicyTransaction[]): MatchQuality {
  let [autoMatched, right, certain, found, agents, rightAgents] = [0, 0, 0, 0, 0, 0];
  const wrong: { kind: Kind; record: object }[] = [];
  const misdeduplicated: string[] = [];
  const seen = new Set<string>();
  for (const one of stored) {
    const id = one.uniqueTransactionId ?? '';
    const made = expected.get(id);
    const isTwice = seen.has(id);
    seen.add(id);
    if (made === undefined || isTwice) {
      misdeduplicated.push(id);
      continue;
    }
    const { last, isAmended } = made;
    if (
      one.dedupResult !== (isAmended ? 'amended' : 'new') ||
      one.premiumAmountInUSD !== last.record['premiumAmountInUSD']
    ) {
      misdeduplicated.push(id);
    }
    const isAuto = one.entityMatchStatus === 'auto matched';
    const isRight = isAuto && one.upstreamDownstreamAssociationId === last.associationId;
    autoMatched += Number(isAuto);
    right += Number(isRight);
    certain += Number(last.isCertain);
    found += Number(last.isCertain && isRight);
    if (isAuto && !isRight) wrong.push({ kind: last.kind, record: one });
    if (one.agentMatchStatus !== 'auto matched') continue;
    agents += 1;
    rightAgents += Number(one.matchedAgents.length === 1 && one.matchedAgents[0]?.agentId === last.agentId);
  }
  misdeduplicated.push(...[...expected.keys()].filter((id) => !seen.has(id)));
  return {
    precision: right / autoMatched,
    recall: found / certain,
    agentPrecision: rightAgents / agents,
    autoMatched,
    certain,
    wrong,
    misdeduplicated,
  };
}
