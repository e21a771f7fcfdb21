import { sendMessage } from '../support/queues.ts';
import type { Game } from './game.ts';
import type { Traffic } from './traffic.ts';

/** One of the six ways in which the local run is broken. */
export interface Exercise {
  /** What is broken: the solution. */
  readonly broken: string;
  readonly breaks: (game: Game) => Promise<void> | void;
  /** What carriers do that it concerns. */
  readonly concerns: readonly (keyof Traffic)[];
  /** The alarm that watches it. */
  readonly alarm: string;
  /** The alarm that notifies of it, which is the same unless several notify together. */
  readonly notifies: string;
  /** What its saved queries find, by which on-call knows the cause. */
  readonly shows: RegExp;
  /** Whether the first of them does, in the order in which the report has them. */
  readonly showsFirst?: true;
}

/** The exercises, by number from 1. */
export const exercises: readonly Exercise[] = [
  {
    broken: 'The role of the function "policies" may no longer query its table.',
    breaks: (game) => game.withhold('policies', 'dynamodb:Query'),
    concerns: ['requests'],
    alarm: 'gateway-faults',
    notifies: 'gateway-faults',
    shows: /AccessDeniedException.+dynamodb:Query/,
  },
  {
    broken: 'DynamoDB throttles every request to the table "policies".',
    breaks: (game) => game.throttle('policies'),
    concerns: ['requests'],
    alarm: 'policies-table-throttles',
    notifies: 'table-throttles',
    shows: /ThrottlingException|RequestLimitExceeded|ProvisionedThroughputExceededException/,
    showsFirst: true,
  },
  {
    broken: 'The registry accepts requests and never answers them.',
    breaks: (game) => game.hangRegistry(),
    concerns: ['synchronizations'],
    alarm: 'registry-sync-message-age',
    notifies: 'registry-sync-message-age',
    shows: /The registry did not answer\./,
  },
  {
    broken: 'The provider at whose three hosts most receivers are accepts requests and never answers them.',
    breaks: (game) => game.hangProvider(),
    concerns: ['events'],
    alarm: 'receivers-failing',
    notifies: 'receivers-failing',
    shows: /"host":"[^"]+","fault":"timeout"/,
    showsFirst: true,
  },
  {
    broken: 'A deployment of the function "webhook-fanout" throws when it is loaded.',
    breaks: (game) => game.deployBroken('webhook-fanout'),
    concerns: ['events'],
    alarm: 'webhook-fanout-message-age',
    notifies: 'events-late',
    // As columns of their own: the message is cut off where it is shown.
    shows: /"reason":"Cannot read properties of undefined/,
    showsFirst: true,
  },
  {
    broken: 'Somebody sent a message to the queue "compliance-changes" that its worker cannot read.',
    breaks: () => sendMessage('compliance-changes', JSON.stringify({ entity: 'agency', renamed: true })),
    concerns: [],
    alarm: 'compliance-changes-dead-messages',
    notifies: 'dead-messages',
    shows: /message_dead_lettered/,
  },
];
