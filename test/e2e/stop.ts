export default async function stop(): Promise<void> {}
