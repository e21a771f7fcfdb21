/** What every bundle has in common. */
export const bundle = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  logLevel: 'warning',
  // The Lambda runtime is Node 24; the syntax stays at ES2023 so that the same bundle runs on this machine's Node.
  target: 'es2023',
};

/** Bundles of Lambda functions: self-contained, and as quick to start as they can be made. */
export const functionBundle = {
  ...bundle,
  minify: true,
  // ESM builds of the SDK tree-shake; its CommonJS ones do not (a third of the import time).
  mainFields: ['module', 'main'],
  // In Lambda credentials are always in the environment: the provider chain (130 KB) is replaced by that one source.
  alias: { '@aws-sdk/credential-provider-node': './shared/data/environment-credentials.ts' },
  // Loaded by the SDK only for operations that stream events; none of the functions' clients has one (14 KB).
  external: ['@smithy/core/event-streams'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};
