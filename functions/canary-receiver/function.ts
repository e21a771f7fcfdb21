import type { LambdaFunctionURLResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Receipt } from '../../shared/domain/canary/receipt.ts';
import type { Started } from '../../shared/domain/start.ts';
import type { FunctionContext } from '../../shared/platform/config/context.ts';
import { uses } from './uses.ts';

/** What is read of a request to the function's address. Lambda passes the names of headers in lower case. */
const delivery = z.object({
  headers: z.object({ 'x-service-timestamp': z.string(), 'x-service-signature': z.string() }),
  body: z.string(),
  isBase64Encoded: z.boolean(),
});

const compose =
  ({ now }: Pick<FunctionContext, 'now'>) =>
  async (event: unknown): Promise<LambdaFunctionURLResult> => {
    const { success, data } = z.safeParse(delivery, event);
    if (!success) return { statusCode: 400 };
    const { headers, body, isBase64Encoded } = data;
    const received: Receipt = {
      receivedAt: now().getTime(),
      timestamp: headers['x-service-timestamp'],
      signature: headers['x-service-signature'],
      body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
    };
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(received),
    };
  };

/**
 * Receives the canary's webhook at the function's own address, which anybody can call. It keeps nothing and knows no
 * secret: it responds with what it received, which only counts for the canary if it is signed.
 */
export const canaryReceiverFunction = {
  uses,
  compose,
  handler: ({ context }: Started<typeof uses>) => compose(context),
};
