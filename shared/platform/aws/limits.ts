/**
 * AWS's limits that code, templates or the local run depend on: each once, with the page that documents it. Functions
 * chunk by them, the local run refuses beyond them, and template tests hold the templates against them. AWS counts a KB
 * as 2^10 bytes and an MB as 2^20.
 */

/** Bytes of a KB. */
export const KB = 1_024;

/** Bytes of an MB. */
export const MB = 1_024 * KB;

// DynamoDB

/** Items of a transaction. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const transactionItems = 100;

/** Bytes of a transaction's items. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const transactionBytes = 4 * MB;

/** Keys of a BatchGetItem call. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
export const batchGetKeys = 100;

/** Puts and deletes of a BatchWriteItem call. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
export const batchWriteItems = 25;

/** Statements of a BatchExecuteStatement call. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.multiplestatements.batching.html */
export const batchStatements = 25;

/** Global secondary indexes of a table. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const indexesPerTable = 20;

/** Write units a second of a partition. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
export const partitionWriteUnits = 1_000;

// SQS

/** Messages of a SendMessageBatch, DeleteMessageBatch or ReceiveMessage call. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const queueBatchMessages = 10;

/** Bytes of a message, and of the messages of a SendMessageBatch call together. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const queueMessageBytes = MB;

/** Seconds for which a message can be delayed. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const queueDelaySeconds = 900;

/** Seconds for which a queue keeps a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const queueRetentionSeconds = 14 * 24 * 3_600;

/** Seconds of a visibility timeout. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const queueVisibilitySeconds = 12 * 3_600;

/** Seconds of a queue's visibility timeout that is not set. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
export const usualVisibilitySeconds = 30;

/** Timeouts of its worker that a queue's visibility timeout should have at least, so that a message is not delivered again while Lambda retries its invocation. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
export const visibilityTimeouts = 6;

/** Receives after which a message of a standard queue that was not deleted no longer counts for the age of the oldest. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html */
export const countedReceives = 3;

/** Seconds for which a ReceiveMessage call can wait for messages. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
export const queueWaitSeconds = 20;

// EventBridge

/** Entries of a PutEvents call. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
export const putEventsEntries = 10;

/** Bytes of a PutEvents call's entries together. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html */
export const putEventsBytes = MB;

/** Bytes that an entry's `Time` counts in a PutEvents call. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
export const putEventsTimeBytes = 14;

/** Characters of an archive's name. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateArchive.html */
export const archiveNameLength = 48;

/** Characters of the name of a schedule, a schedule group or a rule. https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html */
export const scheduleNameLength = 64;

// Lambda

/** Bytes of a synchronous invocation's request, and of an answer that is not streamed. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const invocationBytes = 6 * MB;

/** Bytes of a streamed answer; the stream breaks off beyond them. https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
export const streamedAnswerBytes = 200 * MB;

/** Bytes of a streamed answer that Lambda sends as fast as they come. https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
export const uncappedStreamBytes = 6 * MB;

/** Bytes a second of a streamed answer, for Lambda beyond `uncappedStreamBytes` and for API Gateway beyond `uncappedGatewayStreamBytes`. https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
export const cappedStreamBytesPerSecond = 2 * MB;

/** Invocations of one chain; the next is dropped unless the function allows recursive loops. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
export const chainedInvocations = 16;

/** Seconds that a function may run. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const functionTimeoutSeconds = 900;

/** Bytes of a function's variables, names and values. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const environmentBytes = 4 * KB;

/** Executions that an account has at the same time in a region, until AWS grants more; a new account may have fewer. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const accountConcurrency = 1_000;

/** Executions of an account that can't be reserved for functions. https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
export const unreservedConcurrency = 100;

/** The smallest maximum concurrency of a queue's event source mapping. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
export const smallestMaximumConcurrency = 2;

/** Readers of a table's stream at once. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html */
export const streamReaders = 2;

/** Filters of an event source mapping. https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html */
export const mappingFilters = 5;

// API Gateway

/** Bytes of a request's body. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayRequestBytes = 10 * MB;

/** Bytes of a request's line and its headers' values together. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayHeaderBytes = 10_240;

/** Requests a second to all APIs of an account in a region, until AWS grants more. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayRequestsPerSecond = 10_000;

/** Requests to all APIs of an account at once, until AWS grants more. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayBurst = 5_000;

/** Seconds that the gateway waits for an answer that is not streamed. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const integrationTimeoutSeconds = 29;

/** Seconds that a streamed answer may take. https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html */
export const streamedIntegrationTimeoutSeconds = 900;

/** Bytes of a streamed answer that the gateway sends as fast as they come. https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html */
export const uncappedGatewayStreamBytes = 10 * MB;

/** Bytes at the start of a streamed answer in which its metadata must end. https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html */
export const streamedMetadataBytes = 16 * KB;

/** Resources (path segments) of an API. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayResources = 300;

/** Changes that one update of a stage may have, about four for each method setting; AWS documents none, and has refused more ("Update size too large", issue 46 of DianaIonita/serverless-api-gateway-caching). https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateStage.html */
export const patchOperations = 80;

// WAF

/** Seconds over which a rate-based rule may count. https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html */
export const rateRuleWindows: readonly number[] = [60, 120, 300, 600];

/** Prefix of a log group to which WAF can log. https://docs.aws.amazon.com/waf/latest/developerguide/logging-cw-logs.html */
export const firewallLogPrefix = 'aws-waf-logs-';

// CloudWatch

/** Metrics of an alarm's expression. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create-alarm-on-metric-math-expression.html */
export const alarmMetrics = 10;

/** Alarms that a deployment group watches. https://docs.aws.amazon.com/codedeploy/latest/userguide/monitoring-create-alarms.html */
export const deploymentAlarms = 10;

/** Characters of a composite alarm's rule. https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html */
export const alarmRuleLength = 10_240;

/** Alarms that a composite alarm's rule can name. https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html */
export const compositeChildren = 100;

/** Characters of a metric filter's pattern. https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html */
export const filterPatternLength = 1_024;

/** Metrics of a dashboard's widget. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html */
export const widgetMetrics = 500;

/** Metrics of a dashboard, those of all widgets together. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html */
export const dashboardMetrics = 2_500;

/** Log groups of a saved query. https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutQueryDefinition.html */
export const queryLogGroups = 50;

/** Characters of a saved query. https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutQueryDefinition.html */
export const queryLength = 10_000;

// CloudFormation and IAM

/** Bytes of a template that is read from a bucket. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const templateBytes = MB;

/** Resources of a stack. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const stackResources = 500;

/** Characters of a role's inline policies together, white space apart. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const inlinePolicyLength = 10_240;
