import * as z from 'zod/mini';
import { queueDelaySeconds } from '../../../shared/aws/limits.ts';
import type { EngineAnswer } from './forward.ts';
import { AwsError, type AwsRequest, bodyOf } from './service.ts';

const delayed = { DelaySeconds: z.optional(z.number()) };
const sent = z.looseObject({
  ...delayed,
  Entries: z.optional(z.array(z.looseObject({ Id: z.string(), ...delayed }))),
});
const answered = z.looseObject({
  Successful: z._default(z.array(z.unknown()), []),
  Failed: z._default(z.array(z.unknown()), []),
});

interface Delayed {
  readonly DelaySeconds?: number | undefined;
}

const isTooLong = ({ DelaySeconds = 0 }: Delayed): boolean =>
  DelaySeconds < 0 || DelaySeconds > queueDelaySeconds;
const refusal = ({ DelaySeconds }: Delayed) => ({
  code: 'InvalidParameterValue',
  message: `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${queueDelaySeconds}.`,
});

/**
 * Rejects messages whose delay is out of range, which the engine does not check. In a batch only those entries fail.
 *
 * @throws AwsError InvalidParameterValue for a single message
 */
export async function withinDelay(
  request: AwsRequest,
  send: (request: AwsRequest) => Promise<EngineAnswer>,
): Promise<EngineAnswer> {
  const body = bodyOf(request, sent);
  if (isTooLong(body)) {
    const { code, message } = refusal(body);
    throw new AwsError(code, message);
  }
  const refused = body.Entries?.filter(isTooLong) ?? [];
  if (refused.length === 0) return send(request);
  const Failed = refused.map((entry) => {
    const { code: Code, message: Message } = refusal(entry);
    return { Id: entry.Id, SenderFault: true, Code, Message };
  });
  const Entries = body.Entries?.filter((entry) => !isTooLong(entry)) ?? [];
  if (Entries.length === 0) {
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return { status: 200, headers, body: Buffer.from(JSON.stringify({ Successful: [], Failed })) };
  }
  const answer = await send({ ...request, body: Buffer.from(JSON.stringify({ ...body, Entries })) });
  if (answer.status !== 200) return answer;
  const sentEntries = z.parse(answered, JSON.parse(answer.body.toString('utf8')));
  const whole = { ...sentEntries, Failed: [...sentEntries.Failed, ...Failed] };
  return { ...answer, body: Buffer.from(JSON.stringify(whole)) };
}
