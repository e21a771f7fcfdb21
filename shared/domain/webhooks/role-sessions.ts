import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { clientDefaults } from '../../platform/aws/client-defaults.ts';
import { roleSessionSeconds } from '../../platform/aws/limits.ts';

/** Temporary credentials of a role. */
export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Assumes roles of customers. */
export type RoleSessions = ReturnType<typeof createRoleSessions>;

export function createRoleSessions(client = new STSClient(clientDefaults('sts'))) {
  return {
    /**
     * Assumes a role, with an external id by which its owner knows for which organization it is.
     * @throws the SDK's error named `AccessDenied` when the role does not exist or does not allow it.
     */
    async assume(roleArn: string, externalId?: string): Promise<RoleCredentials> {
      const { Credentials } = await client.send(
        new AssumeRoleCommand({
          RoleArn: roleArn,
          // What the customer's audit trail shows.
          RoleSessionName: 'insurance-compliance-webhooks',
          DurationSeconds: roleSessionSeconds,
          ...(externalId === undefined ? {} : { ExternalId: externalId }),
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
      if (AccessKeyId === undefined || SecretAccessKey === undefined || SessionToken === undefined) {
        throw new Error('STS returned no credentials.');
      }
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    },
  };
}
