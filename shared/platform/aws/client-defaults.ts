// Apart from the clients: a function imports those of the services that it calls.
/** Time that a service may take to respond, in milliseconds: longer where files are read or written. */
const answerMs = {
  dynamodb: 3_000,
  sqs: 3_000,
  secretsManager: 3_000,
  kms: 3_000,
  eventBridge: 5_000,
  s3: 8_000,
};

/**
 * Attempts and timeouts of a function's client of a service. A request has 29 seconds in all, so one call must fail long
 * before that.
 */
export const clientDefaults = (service: keyof typeof answerMs) => ({
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: answerMs[service],
    throwOnRequestTimeout: true,
  },
});
