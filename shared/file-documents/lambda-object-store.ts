import * as z from 'zod/mini';
import { readEnvironment } from '../config/environment.ts';
import { defaultProvider } from '../data/environment-credentials.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';

/** What Lambda itself sets, and the variables with which AWS's tools are pointed to another address than AWS's. */
const surroundings = z.object({
  AWS_REGION: z.string(),
  AWS_ENDPOINT_URL: z.optional(z.string()),
  AWS_ENDPOINT_URL_S3: z.optional(z.string()),
});

/** The object store of a function, with the credentials of its role. */
export function lambdaObjectStore(bucket: string): ObjectStore {
  const { AWS_REGION, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3 } = readEnvironment(surroundings);
  return createObjectStore({
    bucket,
    region: AWS_REGION,
    credentials: defaultProvider(),
    endpoint: AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL,
  });
}
