import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { compatible } from '../../shared/platform/contract/compatible.ts';
import { jsonText } from '../../shared/platform/data/json-text.ts';

const canaryCredentials = compatible(
  'secrets/canary',
  z.object({
    clientId: z.string(),
    clientSecret: z.string(),
    /** The organization's only association; its `externalId` is what the canary writes. */
    downstreamEntityAssociationId: z.string(),
    /** The webhook that points to the canary's receiver, and its signing secret. */
    webhookId: z.string(),
    webhookSecret: z.string(),
  }),
);

/** What the canary's secret holds, as JSON, once the first smoke test has made the canary's organization. */
export type CanaryCredentials = z.output<typeof canaryCredentials>;

/**
 * The canary's credentials; undefined while the secret has the value with which it was created.
 * @throws SDK errors.
 */
export async function readCredentials(
  client: SecretsManagerClient,
  secretId: string,
): Promise<CanaryCredentials | undefined> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  return z.safeParse(z.pipe(jsonText, canaryCredentials), SecretString).data;
}
