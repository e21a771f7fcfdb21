/** Events that the organization's feed alone has, never a webhook: the fan-out's rule is by webhooks' types. */
export const feedTypes = ['WEBHOOK_DISABLED'] as const;

export type FeedType = (typeof feedTypes)[number];
