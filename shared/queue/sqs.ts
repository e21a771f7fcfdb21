import { SQSClient } from '@aws-sdk/client-sqs';

/** The SQS client of a function, with the timeouts of the DynamoDB client. */
export const createSqsClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
