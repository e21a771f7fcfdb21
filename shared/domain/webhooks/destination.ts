import * as z from 'zod/mini';
import { object, strictObject } from '../../platform/contract/object.ts';

/** The service may assume roles whose names begin so, and no others. */
export const rolePrefix = 'insurance-compliance-webhooks';

export const destinationType = z.enum(['sqs', 'eventbridge']);

/** A queue or a bus in its owner's AWS account, and the role with which it is sent to. */
export const destination = object(() => ({ type: destinationType, arn: z.string(), roleArn: z.string() }));

export type Destination = z.output<typeof destination>;

// A region becomes part of a host name, so no ARN has another character in it. The rest is AWS's: names of queues have at
// most 80 characters, those of buses 256, those of roles 64.
const place = String.raw`[a-z]{2}-[a-z]{4,12}-\d:\d{12}`;
const arns: Readonly<Record<Destination['type'], RegExp>> = {
  sqs: new RegExp(String.raw`^arn:aws:sqs:${place}:(?=.{1,80}$)[\w-]+(\.fifo)?$`),
  eventbridge: new RegExp(String.raw`^arn:aws:events:${place}:event-bus/[\w./-]{1,256}$`),
};
const roleArn = new RegExp(
  String.raw`^arn:aws:iam::\d{12}:role/${rolePrefix}[\w+=,.@-]{0,${64 - rolePrefix.length}}$`,
);

/** A destination as its owner names it. */
export const newDestination = strictObject(
  () => ({
    type: destinationType,
    arn: z.string(),
    roleArn: z
      .string()
      .check(z.regex(roleArn, `must be the ARN of a role whose name begins with ${rolePrefix}`)),
  }),
  z.refine(({ type, arn }) => arns[type].test(arn), {
    path: ['arn'],
    error: 'must be the ARN of a queue for sqs, or of an event bus for eventbridge',
  }),
);

/** Region, account, and name of a destination. */
export function partsOf({ arn }: Destination) {
  const [, , , region = '', account = '', name = ''] = arn.split(':');
  return { region, account, name };
}
