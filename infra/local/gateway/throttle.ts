import * as z from 'zod/mini';

/** Supported method settings of a stage; others are refused because they may change responses. */
const methodSetting = z.strictObject({
  /** `*`, or a method in upper case. */
  HttpMethod: z.string(),
  /** `/*`, or a path with a leading slash and `~1` for the others. */
  ResourcePath: z.string(),
  ThrottlingRateLimit: z.optional(z.number()),
  ThrottlingBurstLimit: z.optional(z.number()),
  // They concern logging, not responses.
  LoggingLevel: z.optional(z.unknown()),
  DataTraceEnabled: z.optional(z.unknown()),
  MetricsEnabled: z.optional(z.unknown()),
});

export const methodSettings = z._default(z.array(methodSetting), []);

export type MethodSettings = z.output<typeof methodSettings>;

/** Whether a request to a method of a resource is admitted; each call consumes a token. */
export type Admits = (path: string, method: string) => boolean;

interface Bucket {
  tokens: number;
  /** Unix milliseconds of the last refill. */
  at: number;
}

/**
 * API Gateway's throttles of a stage, a token bucket for each method of each path: by the method's own setting, or else
 * by that of all methods, which is not one shared bucket
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html). The account's limits
 * are not part of a template.
 */
export function createThrottle(settings: MethodSettings, now: () => number = Date.now): Admits {
  const byMethod = new Map(
    settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${ResourcePath.replace(/^\//, '').replaceAll('~1', '/') || '/'}`,
      { perSecond: ThrottlingRateLimit, burst: ThrottlingBurstLimit },
    ]),
  );
  const buckets = new Map<string, Bucket>();

  return (path, method) => {
    const name = `${method} ${path}`;
    const { perSecond, burst } = byMethod.get(name) ?? byMethod.get('* *') ?? {};
    if (perSecond === undefined || burst === undefined) return true;
    const at = now();
    const bucket = buckets.get(name) ?? { tokens: burst, at };
    buckets.set(name, bucket);
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) * perSecond) / 1_000);
    bucket.at = at;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
