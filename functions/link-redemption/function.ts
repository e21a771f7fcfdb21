import { createSignInTokens, redemptionInput } from '#domain/one-time-links/store.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { createSecretText, type SecretText } from '#platform/config/secret-text.ts';
import { operatorHandler } from '#platform/operator/handler.ts';
import { parseInput } from '#platform/request/validation.ts';
import { createRedemption } from './redemption.ts';
import { uses } from './uses.ts';

function compose({
  linkSecret,
  tables,
  context: { logger, now },
}: Resources<typeof uses, { readonly linkSecret: SecretText }>) {
  const redeem = createRedemption(tables, now, createSignInTokens(linkSecret.current));
  return operatorHandler(logger, {
    auditOf: () => ({ command: 'redeem-one-time-link' }),
    run: async (event) => {
      const input = parseInput(redemptionInput, event);
      const result = await redeem(input);
      const { purpose, downstreamEntityAssociationId, agreed } = result;
      return { result, audit: { purpose, downstreamEntityAssociationId, agreed } };
    },
  });
}

/**
 * Redeems a link for the agencies' application, which says who redeems it: the one act of an operator's that it may
 * do, with the rights of that act alone.
 */
export const linkRedemptionFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, context }) => ({
    linkSecret: createSecretText(values.LINK_SECRET_ARN, context.now),
  }),
});
