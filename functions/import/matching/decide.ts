import { autoMatchedFrom, strongFrom } from '../../../shared/domain/matching/rules.ts';

/** A piece of evidence that a transaction has, and those of the candidates whom it fits; none if it fits nobody. */
export interface Evidence<Name extends string> {
  readonly name: Name;
  readonly confidence: number;
  readonly fits: ReadonlySet<string>;
}

/** One who might be meant, by the best evidence for it. */
export interface Candidate<Name extends string> {
  readonly id: string;
  readonly evidence: Name;
  readonly confidence: number;
}

/** `sure` is the one who is meant; otherwise a person must decide, or nobody fits. */
export interface Decision<Name extends string> {
  readonly sure: Candidate<Name> | undefined;
  /** Everybody whom any evidence fits, the best first. */
  readonly candidates: readonly Candidate<Name>[];
}

/**
 * Decides who is meant (OpenAPI, "Matching"): the only one whom all strong evidence fits, whom nothing disputes.
 *
 * @param isDisputed whether what the transaction states, such as a name, does not fit what is known of a candidate.
 */
export function decide<Name extends string>(
  evidence: readonly Evidence<Name>[],
  isDisputed: (id: string) => boolean,
): Decision<Name> {
  const fitting = evidence.filter(({ fits }) => fits.size > 0).sort((a, b) => b.confidence - a.confidence);
  const best = new Map<string, Candidate<Name>>();
  for (const { name, confidence, fits } of fitting) {
    for (const id of fits) if (!best.has(id)) best.set(id, { id, evidence: name, confidence });
  }
  const candidates = [...best.values()];
  const strong = fitting.filter(({ confidence }) => confidence >= strongFrom);
  const agreed = candidates.filter(({ id }) => strong.every(({ fits }) => fits.has(id)));
  const [only] = agreed;
  const isSure =
    only !== undefined &&
    agreed.length === 1 &&
    only.confidence >= autoMatchedFrom &&
    fitting.every(({ fits }) => fits.has(only.id)) &&
    !isDisputed(only.id);
  return { sure: isSure ? only : undefined, candidates };
}
