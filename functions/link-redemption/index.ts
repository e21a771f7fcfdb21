import { functionEntry } from '../../shared/domain/entry.ts';
import { createSecretText } from '../../shared/platform/config/secret-text.ts';
import { createLinkRedemptionFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('link-redemption', uses, (common, { values }) =>
  createLinkRedemptionFunction({
    ...common,
    clients: { ...common.clients, linkSecret: createSecretText(values.LINK_SECRET_ARN, common.context.now) },
  }),
);
