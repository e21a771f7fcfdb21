import { createRedemption, redemptionInput } from '../../shared/domain/one-time-links/redemption.ts';
import type { Dependencies } from '../../shared/platform/config/dependencies.ts';
import { operatorHandler } from '../../shared/platform/operator/handler.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import type { uses } from './uses.ts';

/**
 * Redeems a link for the agencies' application, which invokes it with `{token}`: the one act of an operator's that it may
 * do, with the rights of that act alone.
 */
export function createLinkRedemptionFunction({
  clients: { dynamo },
  tables,
  context: { logger, now },
}: Dependencies<typeof uses>) {
  const redeem = createRedemption(dynamo, tables, now);
  return operatorHandler(logger, {
    asked: () => ({ command: 'redeem-one-time-link' }),
    run: async (event) => {
      const result = await redeem(parseInput(redemptionInput, event).token);
      const { purpose, downstreamEntityAssociationId } = result;
      return { result, audit: { purpose, downstreamEntityAssociationId } };
    },
  });
}
