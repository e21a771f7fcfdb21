// What a function says of itself in its `uses.ts`, and the queues, settings, and hours that it names there.
import * as z from 'zod/mini';
import type { OutboxType } from '#domain/events/stored.ts';
import type { tables } from '#domain/tables.ts';
import type { RouteGroup } from '#platform/contract/route.ts';
import type { TableDesign } from '#platform/data/table-design.ts';

/**
 * Kind and uses of a function, as data (`functions/<name>/uses.ts`). The stack makes the function, its variables, and its
 * permissions of it; the entry reads the variables by it; tests compare both with what is deployed.
 */
export type FunctionUses = CommonUses &
  (
    | ({
        /** The routes that it serves, which alone invoke it; its timeout follows from them. */
        readonly routes: RouteGroup;
        readonly timeoutSeconds?: never;
      } & { readonly [Trigger in keyof Triggers]?: never })
    | ({
        readonly routes?: never;
        /** The visibility timeout of a worker's queues follows from it. */
        readonly timeoutSeconds: number;
      } & Triggers)
  );

/** Triggers of a function without routes. */
interface Triggers {
  /** Queues whose messages it works on. */
  readonly consumes?: { readonly [Name in WorkedQueue]?: Consumption };
  /** The changes of a table that it works on, in order. */
  readonly stream?: StreamMapping & { readonly table: 'outbox' };
  /** Tasks with which schedules call it. */
  readonly schedules?: Readonly<Record<string, Timetable>>;
  /** Secrets Manager calls it to rotate the secret that signs access tokens. */
  readonly rotates?: true;
}

interface CommonUses {
  /** Whether the function exists only in environments that are a sandbox. */
  readonly sandbox?: true;
  /** 1,024 by default; processor time is in proportion. */
  readonly memoryMB?: number;
  readonly tables?: { readonly [Key in keyof typeof tables]?: TableUse<(typeof tables)[Key]> };
  /** The bucket of files: it may read all of them, and write to these folders. */
  readonly files?: { readonly writes: readonly Folder[] };
  /** The folder of the bucket in which it remembers answers of writes that do not fit an item. */
  readonly answers?: true;
  /** Queues to which it sends. */
  readonly sends?: readonly WorkedQueue[];
  /** Functions that it invokes, and whose answer it waits for. */
  readonly invokes?: readonly string[];
  /** Whether the function puts events on the bus. */
  readonly publishes?: true;
  /** Whether the function calls the registry. */
  readonly registry?: true;
  /** Use of the data keys of webhooks' secrets. */
  readonly webhookKey?: 'encrypts' | 'decrypts';
  /** Whether the function signs receipts of sale checks, and reads the public halves of the keys. */
  readonly receiptKeys?: true;
  /** Whether the function reads the secret that signs access tokens. */
  readonly signingSecret?: true;
  /** Whether the function makes or reads sign-in links, with the secret that signs them. */
  readonly linkSecret?: true;
  readonly canarySecret?: true;
  /** Whether the function moves messages of every queue back from its dead-letter queue. */
  readonly redrives?: true;
  /** Settings that differ between environments and need no permission. */
  readonly settings?: readonly SettingName[];
  /** People and other applications invoke it with IAM credentials, which the audit trail records. */
  readonly isAudited?: true;
  /**
   * Why it may be invoked by messages that it sends, directly or indirectly, and what ends the chain. Without it Lambda
   * drops the 17th invocation of such a chain, and the message ends in the dead-letter queue
   * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). Lambda detects chains through SQS, SNS, S3,
   * and Lambda, but not through DynamoDB or EventBridge. Also the function's description in the console.
   */
  readonly recursion?: string;
}

/** Consumption of a queue's messages by a function; the queue is made of this. */
export interface Consumption {
  /** Maximum number of messages per invocation. */
  readonly batchSize: number;
  /** Deliveries of a message before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  /** Age in hours of the oldest message above which the alarm goes off, if messages may wait for long. */
  readonly behindAfterHours?: number;
  /** Events that the bus puts into the queue: those of imports, or all others. */
  readonly events?: { readonly types: readonly OutboxType[]; readonly ofImports: boolean };
}

/** Consumption of a table's changes by a function. */
export interface StreamMapping {
  /** Patterns of Lambda's event filtering; a change is passed on where one of them matches. */
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  /** Maximum number of changes per invocation. */
  readonly batchSize: number;
  /** Age in hours of a change at which the stream gives up on it, however often it failed. */
  readonly retryForHours: number;
}

/** Times of a schedule's calls: an hour is that of New York. */
export type Timetable = { readonly everyMinutes: number } | { readonly dailyAtHour: number };

/** Actions of a function on a table, which its role therefore allows. */
export interface TableUse<Design extends TableDesign = TableDesign> {
  readonly items?: readonly [ItemAction, ...ItemAction[]];
  /** Queried indexes by name, or the table itself. */
  readonly query?: readonly [IndexName<Design> | 'table', ...(IndexName<Design> | 'table')[]];
}

/**
 * Actions on single items. Transactions and batches of statements have no action of their own: DynamoDB authorizes each of
 * their items and statements.
 */
type ItemAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem'
  | 'PartiQLUpdate'
  /** Reads the whole table: for operators alone, of a table that is small. */
  | 'Scan';

type IndexName<Design extends TableDesign> = Design extends { readonly indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

/** `incoming` is for presigned uploads by callers; `files` contains the versions of documents. */
type Folder = 'incoming' | 'files';

/**
 * The queues whose messages a function works on. Each is declared by the function that consumes it (`uses.ts`), and the
 * number of its workers by the environment (`infra/capacity.ts`).
 */
export const workedQueues = [
  'registry-sync',
  'webhook-fanout',
  'webhook-fanout-imports',
  'deliveries-healthy',
  'deliveries-failing',
  'compliance-changes',
  'compliance-changes-imports',
  'license-sweep',
  'registry-reconciliation',
  'sandbox-nightly-run',
  'agency-moves',
] as const;

export type WorkedQueue = (typeof workedQueues)[number];

/**
 * Deliveries of a message every few minutes for an hour or more: AWS outages usually end within that time, and the queue's age
 * raises an alarm before.
 */
export const hourOfRetries = 20;

export const yesOrNo = () => z.enum(['yes', 'no']);

export const number = () => z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.gt(0))));

/** Settings that differ between environments and need no permission. */
export const settings = {
  /** Address of the agencies' application, without a slash at its end. */
  AGENCY_APP_URL: () => z.url(),
  /** Whether scheduled work can be done as of a time that is still to come: days that are really swept early. */
  ALLOW_FUTURE_AS_OF: yesOrNo,
  /** Whether webhooks may point to this machine, over http too; in the local environment alone. */
  ALLOW_LOOPBACK_RECEIVERS: yesOrNo,
  /** The API's public address, as callers use it. */
  API_ADDRESS: () => z.url(),
  /** Calls of the registry that a night's visits make at most; `unbounded` where nothing bounds them. */
  MOST_CALLS_A_NIGHT: () =>
    z.pipe(
      z.string(),
      z.pipe(
        z.transform((text: string) => (text === 'unbounded' ? undefined : Number(text))),
        z.optional(z.int().check(z.gt(0))),
      ),
    ),
  /** Base address of the registry; `simulated` selects the built-in one. */
  REGISTRY_ADDRESS: () => z.string(),
  /** NPNs about which an organization may have the registry asked in a day, by adds, lookups, and synchronizations. */
  REGISTRY_QUESTIONS_A_DAY: number,
  /** Whether the environment is a sandbox, with routes that others do not have. */
  SANDBOX: yesOrNo,
  /** Address where integrators get help. */
  SUPPORT_URL: () => z.url(),
};

/** A member of `settings` in a function's `uses.ts`. */
export type SettingName = keyof typeof settings;

/** Time limit of the functions whose scheduled work operators have done at once, too; `admin` waits for longer. */
export const scheduledWorkSeconds = 300;

/** The hour in New York at which the license sweep begins, after the one that daylight saving time skips or repeats. */
export const sweepHour = 5;

/**
 * The hour of the evening before at which the registry reconciliation begins. What the sweep reports must have been polled
 * by then: at an environment's polls a second, eight hours are enough for a million NPNs, and far
 * more than enough for those with a license at a boundary, which come first.
 */
export const reconciliationHour = 21;
