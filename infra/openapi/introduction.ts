import { readFileSync } from 'node:fs';
import { recordedDays } from '#domain/carrier-lists/resource.ts';
import { expiringWindowDays } from '#domain/decision/renewal.ts';
import { feedDays } from '#domain/events/stored.ts';
import { scheduleWords } from '#domain/webhooks/docs.ts';
import { longestAnswer } from '#domain/webhooks/resource.ts';
import { failingAfter } from '#domain/webhooks/stored.ts';
import {
  cappedStreamBytesPerSecond,
  gatewayHeaderBytes,
  gatewayRequestBytes,
  invocationBytes,
  KB,
  MB,
  streamedAnswerBytes,
  uncappedStreamBytes,
} from '#platform/aws/limits.ts';
import {
  recordedUntilHeader,
  tombstoneDays,
  updatedUntilHeader,
  updatedUntilLagMs,
} from '#platform/contract/list-queries.ts';
import { pageSizes } from '#platform/contract/primitives.ts';
import { basicChallenge, challenge, commonHeaders, remappedChallenge } from '#platform/contract/responses.ts';
import { rateLimits, v1DeprecatedAt } from '#platform/contract/route.ts';
import { mostIssues } from '#platform/errors/domain-error.ts';
import { tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import { longestLeaseMs } from '#platform/request/idempotency.ts';
import { longestPauseSeconds } from '#platform/request/lambda.ts';
import { mostChecks } from '../../functions/sale-checks/routes.ts';
import { longestRetryAfter } from '../../functions/webhook-delivery/attempt.ts';
import { attemptsAtOnce, pageSizes as dueAtOnce } from '../../functions/webhook-delivery/drain.ts';
import { wholeExchange } from '../../functions/webhook-delivery/exchange.ts';
import { routeGroups } from '../function-uses.ts';
import { complianceDocumentation, matchingDocumentation, saleCheckDocumentation } from './compliance.ts';
import { errorCatalog } from './errors.ts';

const list = new Intl.ListFormat('en');

const limits = Object.entries(rateLimits).flatMap(([name, { limit, windowSeconds }]) => [
  [`${name}Limit`, limit] as const,
  [`${name}Seconds`, windowSeconds] as const,
]);

/** Values in place of `{{name}}` in `introduction.md`. */
const values: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(limits),
  ...scheduleWords,
  answerKB: longestAnswer / KB,
  attemptsAtOnce: attemptsAtOnce.healthy,
  backlogAtOnce: attemptsAtOnce.backlog,
  basicChallenge,
  cappedStreamMBPerSecond: cappedStreamBytesPerSecond / MB,
  challenge,
  compliance: complianceDocumentation(),
  errorCatalog: errorCatalog(),
  exchangeSeconds: wholeExchange / 1_000,
  expiringWindowDays,
  failingAfter,
  feedDays,
  gatewayHeaderBytes,
  gatewayRequestMB: gatewayRequestBytes / MB,
  headers: list.format(Object.entries(commonHeaders).map(([name, value]) => `\`${name}: ${value}\``)),
  // A body that fits into an invocation: base64 adds a third to it, and the rest of the event is small.
  largestPageSize: pageSizes.max,
  largestBodyMB: ((invocationBytes * 3) / 4 / MB - 0.1).toFixed(1),
  longestLeaseSeconds: longestLeaseMs / 1_000,
  longestRetryAfterHours: longestRetryAfter / 3_600_000,
  matching: matchingDocumentation(),
  mostChecks,
  mostIssues,
  longestPauseSeconds,
  openLists: routeGroups
    .flatMap(({ name, openLists }) => (openLists === undefined ? [] : [`${name}: ${openLists}`]))
    .join(', '),
  pageOfDue: dueAtOnce.healthy,
  remappedChallenge,
  saleCheckReasons: saleCheckDocumentation(),
  saleCheckSample: `\`\`\`sh
curl -s "$BASE_URL/v2/upstream/sale-checks" -H "authorization: Bearer $UPSTREAM_ACCESS_TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"checks": [{"seller": {"npn": "8123456"}, "product": {"productCode": "CGL"}, "stateCode": "TX"}]}'
\`\`\``,
  streamedAnswerMB: streamedAnswerBytes / MB,
  tokenLifetimeMinutes,
  tombstoneDays,
  uncappedStreamMB: uncappedStreamBytes / MB,
  recordedDays,
  recordedUntilHeader,
  updatedUntilHeader,
  updatedUntilLagMinutes: updatedUntilLagMs / 60_000,
  v1DeprecatedAt,
};

const text = readFileSync('infra/openapi/introduction.md', 'utf8')
  .trim()
  .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const { [name]: value } = values;
    if (value === undefined) throw new Error(`introduction.md names ${name}, which has no value.`);
    return String(value);
  });

/**
 * Introduction to all operations, in Markdown: the `info.description` of the published document.
 * @param isSandbox whether it is of an environment that is a sandbox.
 * @throws Error for a name in the text without a value.
 */
export const introductionOf = (isSandbox: boolean): string =>
  text.replace(/<!-- sandbox:start -->\n(.*?)<!-- sandbox:end -->\n/gs, isSandbox ? '$1' : '');
