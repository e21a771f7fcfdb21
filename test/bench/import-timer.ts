// Imports the bundle that its argument names, as the first thing a new process does, and prints the milliseconds.
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } });

const [, , bundle = ''] = process.argv;
const started = performance.now();
await import(bundle);
process.stdout.write(String(performance.now() - started));

export {};
