import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Whether the condition of a single write held; other errors of the write are thrown. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
