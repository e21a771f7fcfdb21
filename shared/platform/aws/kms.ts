import { KMSClient } from '@aws-sdk/client-kms';
import { clientDefaults } from './client-defaults.ts';

// A file of its own: a function that needs it for some requests alone imports it, with the SDK’s client, when the first of them comes.

/** The KMS client of a function. */
export const createKmsClient = (): KMSClient => new KMSClient(clientDefaults('kms'));
