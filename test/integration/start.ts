import { shareEngine } from '../support/engine.ts';

/** Starts the DynamoDB Local in which each suite of this project has a database of its own. */
export default async function start(): Promise<void> {
  await shareEngine();
}
