import type * as z from 'zod/mini';
import { ruleOfReason, rulesNumber } from '#domain/decision/reasons.ts';
import { answerOf, noWord } from '#domain/sale-checks/answer.ts';
import { findReceipt, hashOf, inputsOf, type Receipt, shownSources } from '#domain/sale-checks/receipt.ts';
import type { SaleCheck } from '#domain/sale-checks/resource.ts';
import { existing } from '#platform/contract/errors.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import type { Table } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { Operations } from '#platform/request/endpoint.ts';
import type { complianceRoutes, saleReceipt } from './routes.ts';

/** An answer without its words for people, which a later release may put differently. */
const withoutWords = ({ reasons, warnings, ...answer }: SaleCheck) => ({
  ...answer,
  reasons: reasons.map(({ party, code, rule }) => ({ party, code, rule })),
  warnings: warnings.map(({ party, code, rule }) => ({ party, code, rule })),
});

type Reproduction = Pick<z.output<typeof saleReceipt>, 'reproduced' | 'reproducedMessage'>;

/** The outcome for a receipt that other rules decided. */
export const outcomeOfOtherRules = (rules: number): Reproduction => ({
  reproduced: null,
  reproducedMessage: `The receipt was decided by the rules with the number ${rules}, and those of today have the number ${rulesNumber}: the decision is not made again.`,
});

/** Whether what a receipt keeps is what was signed, and the decision, made again from it, is the same. */
export function reproductionOf({ payload, resolved, sources }: Receipt): Reproduction {
  if (payload.rules !== rulesNumber) return outcomeOfOtherRules(payload.rules);
  const today = newYorkDate(new Date(payload.iat * 1_000));
  const inputs = inputsOf(sources, payload.knownAt, today);
  const wordOf = (party: number | null | undefined) => sources.parties[party ?? -1] ?? noWord;
  const isSame = payload.checks.every(({ asked, ...check }, index) => {
    const { isPresent = false, found = [], parties } = resolved[index] ?? {};
    const resolvedCheck = {
      ...check,
      stateCode: asked.stateCode,
      isPresent,
      found: found.map((reason) => ({ ...reason, rule: ruleOfReason(reason.code) })),
      ofToday: { seller: wordOf(parties?.seller), agency: wordOf(parties?.agency) },
    };
    return isDeepStrictEqual(withoutWords(answerOf(resolvedCheck, inputs)), withoutWords(check));
  });
  return { reproduced: isSame && hashOf(shownSources(sources)) === payload.sourcesHash };
}

/**
 * A receipt, and whether it is reproduced (OpenAPI, "May she sell?"). It is read alone: nothing else that is stored counts.
 * @throws ApiError `not_found` for an unknown or foreign receipt.
 */
export const receiptOperation =
  (saleReceipts: Table): Operations<typeof complianceRoutes.routes>['getSaleReceipt'] =>
  async ({ identity, params: { receiptId } }) => {
    const receipt = existing(await findReceipt(saleReceipts, identity.organizationId, receiptId));
    const { jws, payload, sources } = receipt;
    const { checks, rules } = payload;
    return { receiptId, checks, jws, rules, sources: shownSources(sources), ...reproductionOf(receipt) };
  };
