// Credentials of roles are temporary: their session token says until when they count.

/** Nobody documents how long those of Lambda last; twelve hours have been seen (https://github.com/boto/boto3/issues/2392). */
export const sessionMs = 12 * 60 * 60 * 1_000;

const prefix = 'LOCAL';

/** The token of a session that ends then, in milliseconds. */
export const sessionToken = (endsAt: number): string => `${prefix}${endsAt}`;

/** Whether a session is over; of one that was not begun here, never. */
export const isOver = (token: string, now: number): boolean =>
  token.startsWith(prefix) && Number(token.slice(prefix.length)) <= now;
