import * as z from 'zod/mini';
import { resourceName } from '../../infra/environments.ts';
import {
  FunctionError,
  RecursiveInvocationError,
  ThrottledError,
} from '../../infra/local/functions/invocation-errors.ts';
import type { Deployment } from '../../infra/local/template/template.ts';
import { reportedFailures } from '../../infra/local/triggers/payload.ts';
import { countedReceives } from '../../shared/platform/aws/limits.ts';
import type { Observed } from './observer.ts';

/** Dimensions of a metric by name. */
export type Dimensions = Readonly<Record<string, string>>;

interface MetricOfAws {
  /** Where AWS documents it. */
  readonly page: string;
  /** Its values within the observed time, which stands for one period of an alarm. */
  readonly samples: (observed: Observed, dimensions: Dimensions, deployment: Deployment) => number[];
}

const ofGateway =
  'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-dimensions.html';
const ofLambda = 'https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html';
const ofQueues =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html';
const ofTables = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html';

const statusAbove =
  (from: number, to: number): MetricOfAws['samples'] =>
  ({ requests }) =>
    requests.map(({ status }) => Number(Number(status) >= from && Number(status) < to));

const invocationsOf = ({ invocations }: Observed, { FunctionName }: Dimensions) =>
  invocations.filter(({ functionName }) => resourceName('local', functionName) === FunctionName);

const batch = z.object({
  Records: z.array(z.object({ eventSourceARN: z.string(), messageId: z.string() })),
});

/** Whether a message of the queue failed when it was last delivered, so that it will be delivered again. */
function hasFailures({ invocations }: Observed, queueName: string): boolean {
  const failed = new Map<string, boolean>();
  for (const { payload, result, error } of invocations) {
    const { Records = [] } = z.safeParse(batch, payload).data ?? {};
    const failures = error === undefined ? reportedFailures(result) : undefined;
    for (const { eventSourceARN, messageId } of Records) {
      if (eventSourceARN.endsWith(`:${queueName}`)) {
        failed.set(messageId, failures === undefined || failures.has(messageId));
      }
    }
  }
  return Array.from(failed.values()).includes(true);
}

/**
 * The metrics of AWS that the local run shows. The age of a queue's oldest message is what it becomes while every delivery
 * fails as the observed one did: that of a message shortly before the delivery from which on it is not counted.
 */
export const metricsOfAws: Readonly<Record<string, MetricOfAws>> = {
  'AWS/ApiGateway Count': { page: ofGateway, samples: ({ requests }) => requests.map(() => 1) },
  'AWS/ApiGateway 4XXError': { page: ofGateway, samples: statusAbove(400, 500) },
  'AWS/ApiGateway 5XXError': { page: ofGateway, samples: statusAbove(500, 600) },
  'AWS/Lambda Errors': {
    page: ofLambda,
    samples: (observed, dimensions) =>
      invocationsOf(observed, dimensions).map(({ error }) => Number(error instanceof FunctionError)),
  },
  'AWS/Lambda Invocations': {
    page: ofLambda,
    samples: (observed, dimensions) =>
      invocationsOf(observed, dimensions).map(({ error }) => Number(!(error instanceof ThrottledError))),
  },
  'AWS/Lambda Throttles': {
    page: ofLambda,
    samples: (observed, dimensions) =>
      invocationsOf(observed, dimensions).map(({ error }) => Number(error instanceof ThrottledError)),
  },
  'AWS/Lambda RecursiveInvocationsDropped': {
    page: ofLambda,
    samples: (observed, dimensions) =>
      invocationsOf(observed, dimensions).map(({ error }) =>
        Number(error instanceof RecursiveInvocationError),
      ),
  },
  'AWS/Lambda Duration': {
    page: ofLambda,
    samples: (observed, dimensions) => invocationsOf(observed, dimensions).map(({ ms }) => ms),
  },
  'AWS/SQS ApproximateNumberOfMessagesVisible': {
    page: ofQueues,
    // Alarms watch it of dead-letter queues alone, from which nobody receives.
    samples: ({ sent }, { QueueName }) => [sent.filter((name) => name === QueueName).length],
  },
  'AWS/SQS ApproximateAgeOfOldestMessage': {
    page: ofQueues,
    samples: (observed, { QueueName = '' }, deployment) => {
      const queue = deployment
        .ofType('AWS::SQS::Queue')
        .find(({ attributes }) => attributes['QueueName'] === QueueName);
      const hidden = Number(queue?.properties()['VisibilityTimeout']);
      return hasFailures(observed, QueueName) ? [(countedReceives - 1) * hidden] : [];
    },
  },
  'AWS/DynamoDB ThrottledRequests': {
    page: ofTables,
    samples: ({ throttled }, { TableName }) => throttled.filter((name) => name === TableName).map(() => 1),
  },
};

const canary = 'a deployment sets up the canary, and an exercise ends before its next run';

/** Metrics that alarms watch and no exercise shows, with the reason. Alarms of them are never in alarm here. */
export const notObserved: Readonly<Record<string, string>> = {
  'AWS/Events FailedInvocations': 'the local bus reaches its queues, or the run reports an error',
  'AWS/Lambda IteratorAge': 'the local run reads the stream as soon as it is written',
  'AWS/Lambda UnreservedConcurrentExecutions': 'a developer’s machine does not have the account’s quota',
  [`${resourceName('local', 'functions')} canary_failed`]: canary,
  [`${resourceName('local', 'functions')} canary_passed`]: canary,
  'AWS/Scheduler TargetErrorCount': 'the local schedules call their functions, or the run reports an error',
};
