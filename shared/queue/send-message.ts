import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { readEnvironment } from '../config/environment.ts';
import { defaultProvider } from '../data/environment-credentials.ts';
import { Sha256 } from '../data/sha256.ts';

/** Hands a message to a queue; done when the queue has it. */
export type SendMessage = (body: string) => Promise<void>;

interface SendingOptions {
  readonly queueUrl: string;
  readonly region: string;
  readonly credentials: ConstructorParameters<typeof SignatureV4>[0]['credentials'];
  /** Where SQS is; AWS's own address unless told otherwise. */
  readonly endpoint?: string | undefined;
}

const attempts = 3;
const callTimeoutMs = 3_000;

/** SQS does not say yes; trying later may help. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/**
 * SQS over fetch, for functions that answer requests and only send. The SDK's client would add 80 KB to their bundles;
 * what is used of it here is the signer, which every bundle has already.
 *
 * The message may arrive more than once, as any message of a standard queue.
 */
export function createSendMessage({ queueUrl, region, credentials, endpoint }: SendingOptions): SendMessage {
  const { protocol, hostname, host, origin } = new URL(endpoint ?? queueUrl);
  const signer = new SignatureV4({ service: 'sqs', region, credentials, sha256: Sha256 });

  async function send(body: string): Promise<void> {
    const { method, headers } = await signer.sign({
      method: 'POST',
      protocol,
      hostname,
      path: '/',
      query: {},
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessage',
      },
      body,
    });
    const answer = await fetch(`${origin}/`, {
      method,
      headers,
      body,
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const told = await answer.text();
    if (!answer.ok) throw new QueueUnavailable(`SQS answered ${answer.status}: ${told}`);
  }

  return async (messageBody) => {
    const body = JSON.stringify({ QueueUrl: queueUrl, MessageBody: messageBody });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(body);
        return;
      } catch (error) {
        if (attempt === attempts) throw error;
      }
      await pause(2 ** attempt * 20 * (1 + Math.random()));
    }
  };
}

/** What Lambda itself sets, and the variables with which AWS's tools are pointed to another address than AWS's. */
const surroundings = z.object({
  AWS_REGION: z.string(),
  AWS_ENDPOINT_URL: z.optional(z.string()),
  AWS_ENDPOINT_URL_SQS: z.optional(z.string()),
});

/** Sends to a queue with the credentials of the function's role. */
export function lambdaSendMessage(queueUrl: string): SendMessage {
  const { AWS_REGION, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_SQS } = readEnvironment(surroundings);
  return createSendMessage({
    queueUrl,
    region: AWS_REGION,
    credentials: defaultProvider(),
    endpoint: AWS_ENDPOINT_URL_SQS ?? AWS_ENDPOINT_URL,
  });
}
