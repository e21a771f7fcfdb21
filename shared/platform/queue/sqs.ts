import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '../aws/client-defaults.ts';

/** The SQS client of a function. */
export const createSqsClient = (): SQSClient => new SQSClient(clientDefaults('sqs'));
