// Imports the bundle that its argument names, as the first thing a new process does, and prints the milliseconds of processor
// time that its main thread took: on an idle machine as long as the import, on a busy one without the wait for a core.
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } });

const [, , bundle = ''] = process.argv;
const before = process.threadCpuUsage();
await import(bundle);
const { user, system } = process.threadCpuUsage(before);
process.stdout.write(String((user + system) / 1000));

export {};
