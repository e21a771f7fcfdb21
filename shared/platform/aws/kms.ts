import { KMSClient } from '@aws-sdk/client-kms';
import { clientDefaults } from './client-defaults.ts';

/** The KMS client of a function. */
export const createKmsClient = (): KMSClient => new KMSClient(clientDefaults('kms'));
