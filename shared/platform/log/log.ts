/**
 * The values of `event` in log lines, for which on-call searches and which alarms count. The runbook and saved queries
 * depend on these names, so a new meaning needs a new name.
 */
export const logEvents = {
  // Requests
  request: 'A request ended; one line for each, with its route, status, and duration.',
  request_failed: 'A request got a 5xx response.',
  refused:
    'The authorizer rejected a request for its credential, address, organization category, or a missing feature.',
  authorizer_failed: 'The authorizer could not decide.',
  signing_keys_not_refreshed: 'The signing keys could not be read again; those already known stay in use.',
  response_breaks_schema: 'A response does not match its schema in the OpenAPI document.',
  response_broke_off: 'A response ended before its last byte was sent.',
  response_too_large: 'A list was cut off because it has more bytes than Lambda streams.',
  rate_counters_unreachable: 'A request was accepted without being counted.',
  file_uploaded: 'A file was uploaded or announced; `bytes` says how large it is.',

  // Queues
  message_failed: 'A message failed for an unexpected reason and is delivered again.',
  message_dead_lettered: 'A message cannot be read and was moved to the dead-letter queue.',

  // Workers
  registry_sync: 'A synchronization with the registry ended.',
  rows_unreadable:
    'Rows of the registry or of an import cannot be read; `rows` says how many of a kind and state of which the last report could.',
  registry_unavailable: 'The registry could not be reached during a synchronization.',
  registry_reconciliation_queued: 'The jobs of the daily reconciliation were queued.',
  registry_reconciliation: 'A job of the daily reconciliation is done.',
  npn_not_polled: 'An NPN, or one of its subscribers, failed within a job of the reconciliation.',
  first_polls_queued: 'Polls were queued for new producers and agencies.',
  npns_overdue: 'NPNs were not polled for too long.',
  nightly_run_failed: 'An NPN failed within a nightly run of the sandbox.',
  license_sweep_queued: 'The jobs of the daily license sweep were queued.',
  license_sweep: 'A job of the daily license sweep is done.',
  license_not_swept: 'A license failed within a job of the sweep.',
  agency_moved: 'The records of an agency are under its present organization.',
  webhook_fanout: 'An event was turned into deliveries.',
  webhook_delivery: 'An attempt to deliver an event to a webhook ended; `outcome` says how.',
  webhook_failing:
    'A webhook’s receiver began to fail: it did not answer in time, or five attempts in a row failed.',
  webhook_drain: 'A worker drained a webhook; `outcome` says how.',
  webhooks_overdue: 'The schedule asked for drains of webhooks that were due, or that a crash left behind.',
  delivery_unreadable:
    'A delivery or its event does not match its schema, and is attempted again an hour later.',
  drain_not_sent: 'A delivery was recorded, but the queue did not take the message; the schedule sends it.',

  // Outbox
  events_published:
    'A run of the publisher ended: one line for each batch of the stream and each scheduled run for what it missed.',
  event_not_published: 'An event was not published and stays in the outbox.',
  event_refused: 'The bus rejects an event because of its content or size.',
  events_republished: 'The schedule published events that the stream missed.',
  feed_stopped: 'Readers of a feed of events wait before a position that has no entry.',

  // Operations
  index_lags:
    'An index of changes has not shown a write of at least 45 seconds ago; `lagMs` says of how long ago.',
  canary_passed: 'A run of the canary succeeded; `ms` says how long it took.',
  canary_not_set_up: 'The canary has no client yet; the first smoke test makes it.',
  canary_failed: 'A run of the canary failed; `step` and `reason` say where and why.',
  operator_command: 'An operator command ended; `outcome` says how.',
  operator_command_failed: 'An operator command failed for an unexpected reason.',
  rotation_step: 'A step of the signing secret’s rotation is done.',
} as const;

export type LogEvent = keyof typeof logEvents;

/** The values of `outcome` in the lines of an event. */
export const logOutcomes = {
  webhook_delivery: [
    'succeeded',
    'retried',
    'failed',
    'webhook_deleted',
    'webhook_disabled',
    'event_expired',
  ],
  webhook_drain: ['released', 'requeued', 'backs_off', 'lost'],
  operator_command: ['done', 'refused'],
  registry_sync: ['success', 'unknown_npn', 'unavailable', 'obsolete', 'no_subscription'],
} as const satisfies Partial<Record<LogEvent, readonly string[]>>;

type EventWithOutcome = keyof typeof logOutcomes;

export type EventWithoutOutcome = Exclude<LogEvent, EventWithOutcome>;

export type LogOutcome<Event extends EventWithOutcome> = (typeof logOutcomes)[Event][number];

/** The fields of a log line, next to its message. Never a body, a header, a token, a name or an email. */
export type LogFields = Readonly<Record<string, unknown>> &
  (
    | { readonly event: EventWithoutOutcome; readonly outcome?: never }
    | { readonly [Event in EventWithOutcome]: { event: Event; outcome: LogOutcome<Event> } }[EventWithOutcome]
  );

/** Logger as our code needs it; Powertools' provides it. Every line names its event. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
  error(message: string, fields: LogFields): void;
}

/** Error of whatever was thrown, since anything can be thrown. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
