import { running } from './start.ts';

export default async function stop(): Promise<void> {
  await running.engine?.stop();
}
