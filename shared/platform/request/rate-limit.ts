import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import {
  type CountedRateClass,
  type Identity,
  type Route,
  type RouteGroup,
  rateLimits,
  rateOf,
} from '../contract/route.ts';
import { absentOr, added, below, present, removed, sized } from '../data/expressions.ts';
import { storedItem } from '../data/stored.ts';
import { tableOf } from '../data/table.ts';
import { rateCountersTable } from '../data/table-design.ts';
import { bodyText, exceeds, tokenParameters } from './body.ts';
import { headersOf } from './headers.ts';

/** The content of the rate headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  readonly isAdmitted: boolean;
}

/** Counts requests in fixed windows that start on the minute. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Counters outlive their window for a while, so that a late clock can't reset one. */
const keptAfterWindowSeconds = 300;

const counter = storedItem('rate-counters/counter', { count: z.int() });

export function createRateLimiter(client: DynamoDBClient, name: string) {
  const table = tableOf(rateCountersTable, client, name);
  return {
    /** Counts one request of `subject`, unless its window is full. */
    async take(rateClass: CountedRateClass, subject: string, now: number): Promise<RateState> {
      const { limit, windowSeconds } = rateLimits[rateClass];
      const start = Math.floor(now / 1000 / windowSeconds) * windowSeconds;
      const reset = start + windowSeconds;
      const { isWritten, item } = await table.change(
        counter,
        { pk: `${rateClass}#${subject}#${start}` },
        { count: added(1), expiresAt: reset + keptAfterWindowSeconds },
        { count: absentOr(below(limit)) },
      );
      return { limit, remaining: isWritten ? limit - item.count : 0, reset, isAdmitted: isWritten };
    },
  };
}

/** Counter of a request. */
type RateSubject = readonly [rateClass: CountedRateClass, subject: string];

/** Counters of a request (OpenAPI, "Rate limits"). */
export function rateSubjects(
  route: Pick<Route, 'method' | 'rate' | 'countedBy' | 'largestBody' | 'standard'>,
  caller: Identity | undefined,
  event: APIGatewayProxyEvent,
): RateSubject[] {
  const { countedBy, standard } = route;
  const rate = rateOf(route);
  if (rate === 'none') return [];
  if (rate === 'download') return [[rate, caller?.organizationId ?? '']];
  if (rate === 'write') return [[rate, caller?.credentialId ?? '']];
  const { sourceIp } = event.requestContext.identity;
  const isRead = countedBy !== undefined && !exceeds(event, route.largestBody);
  const member = isRead ? bodyMember(event, countedBy, standard) : '';
  return [
    // With the address, so that a stranger who knows a clientId cannot lock its owner out.
    [rate, `${member}#${sourceIp}`],
    // Whatever the clientId: a new one with each request would be counted nowhere else.
    ['tokenAddress', sourceIp],
  ];
}

/** The counter that the caller hears of: the fullest. */
export const fullest = (states: readonly RateState[]): RateState | undefined =>
  [...states].sort(
    (rate, otherRate) =>
      Number(rate.isAdmitted) - Number(otherRate.isAdmitted) || rate.remaining - otherRate.remaining,
  )[0];

/** Schema of a body member that is part of a key: a database that refused it would leave the request uncounted. */
const countable = /^[ -~]{1,100}$/;

/** A string from a body that is not validated yet; empty for a malformed one, which is counted by its address alone. */
function bodyMember(event: APIGatewayProxyEvent, name: string, standard: Route['standard']): string {
  try {
    const text = bodyText(event);
    const body = standard === undefined ? JSON.parse(text) : tokenParameters(text, headersOf(event));
    const member = (body as Readonly<Record<string, unknown>> | null)?.[name];
    return typeof member === 'string' && countable.test(member) ? member : '';
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ApiError) return '';
    throw error;
  }
}

/** The headers that report the rate limit to the caller. */
export function rateHeaders(rate: RateState, time: Date): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.reset),
    ...(rate.isAdmitted
      ? {}
      : { 'retry-after': String(Math.max(1, rate.reset - Math.floor(time.getTime() / 1000))) }),
  };
}

/** Takes a place for a list of an organization; answers how it is given back, or undefined if all are taken. */
export type OpenLists = (organizationId: string, now: Date) => Promise<(() => Promise<unknown>) | undefined>;

/** The time limit of functions with lists (`infra/function-uses.ts`): a place that a crash left is over then. */
export const longestOpenSeconds = 310;

/** Each place is `<Unix seconds at which it is over>#<random>`: below a kilobyte for all of them. */
const placesTaken = storedItem('rate-counters/open-lists', { places: z.optional(z.set(z.string())) });

/** The places of a group's lists, of which an organization has so many. */
export function createOpenLists(
  client: DynamoDBClient,
  name: string,
  { name: group, openLists: most = 0 }: RouteGroup,
): OpenLists {
  const table = tableOf(rateCountersTable, client, name);
  return async (organizationId, now) => {
    const key = { pk: `open#${organizationId}#${group}` };
    const seconds = Math.floor(now.getTime() / 1_000);
    const expiresAt = seconds + longestOpenSeconds;
    const place = `${expiresAt}#${randomBytes(4).toString('base64url')}`;
    const take = () =>
      table.change(
        placesTaken,
        key,
        { places: added(new Set([place])), expiresAt },
        { places: absentOr(sized(below(most))) },
      );
    const giveBack = (places: readonly string[]) =>
      table.update(key, { places: removed(new Set(places)) }, { places: present });
    let update = await take();
    if (!update.isWritten) {
      const over = [...(update.item?.places ?? [])].filter((token) => Number.parseInt(token, 10) < seconds);
      if (over.length === 0) return undefined;
      await giveBack(over);
      update = await take();
    }
    return update.isWritten ? () => giveBack([place]) : undefined;
  };
}
