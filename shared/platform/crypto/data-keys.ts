import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientDefaults } from '../aws/calls.ts';

/** A key of 256 bits that encrypts data, and the same key as KMS encrypted it, which is stored beside the data. */
export interface DataKey {
  readonly plain: Uint8Array;
  readonly encrypted: Uint8Array;
}

/** Envelope encryption: the data keys of one KMS key. */
export type DataKeys = ReturnType<typeof createDataKeys>;

/** Data keys of the KMS key with this ARN. */
export const createDataKeys = (keyArn: string, client = new KMSClient(clientDefaults('kms'))) => ({
  async generate(): Promise<DataKey> {
    const { Plaintext, CiphertextBlob } = await client.send(
      new GenerateDataKeyCommand({ KeyId: keyArn, KeySpec: 'AES_256' }),
    );
    if (Plaintext === undefined || CiphertextBlob === undefined) throw new Error('KMS returned no data key.');
    return { plain: Plaintext, encrypted: CiphertextBlob };
  },
  /** The plain key of an encrypted one. */
  async decrypt(encrypted: Uint8Array): Promise<Uint8Array> {
    const { Plaintext } = await client.send(new DecryptCommand({ KeyId: keyArn, CiphertextBlob: encrypted }));
    if (Plaintext === undefined) throw new Error('KMS returned no data key.');
    return Plaintext;
  },
});
