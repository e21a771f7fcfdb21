import { linkRedemptionEnvironment } from '../../functions/link-redemption/environment.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { usualLimit } from '../time-limits.ts';
import { commonUses, type ServiceContext } from './context.ts';

/**
 * Redeems one-time links for the agencies' application, whose role may invoke this function and none of the operators'. It
 * can make an association active and confirm its contact, and nothing else.
 */
export function createLinkRedemption(context: ServiceContext): ServiceFunction {
  const { scope, deployment, data } = context;
  return new ServiceFunction(scope, 'link-redemption', {
    deployment,
    // A person waits for it, as at the gateway.
    timeout: usualLimit,
    environment: linkRedemptionEnvironment,
    uses: {
      ...commonUses(context),
      ASSOCIATIONS_TABLE: data.associations.allows({ items: ['GetItem', 'PutItem', 'UpdateItem'] }),
      CONTACTS_TABLE: data.contacts.allows({ items: ['GetItem', 'PutItem'] }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['BatchGetItem'] }),
      ONE_TIME_LINKS_TABLE: data.oneTimeLinks.allows({ items: ['GetItem', 'UpdateItem'] }),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
    },
  });
}
