import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { KB } from '../../shared/platform/aws/limits.ts';

export interface BundleBudget {
  /** Everything of the function's folder that is code: what is loaded at its start and later. */
  readonly bytes: number;
  /** Times the import of a bundle that holds a DynamoDB client alone. */
  readonly importTime: number;
}

/** What a function may weigh by the clients of AWS that it holds: `client-dynamodb`, `client-sqs`. */
export function budgetOf(clients: readonly string[]): BundleBudget {
  if (clients.includes('client-s3')) return { bytes: 620 * KB, importTime: 2 };
  // Its protocol is XML; it is loaded when a role is first assumed.
  const more = clients.includes('client-sts') ? 20 * KB : 0;
  if (clients.length > 1) return { bytes: 440 * KB + more, importTime: 1.7 };
  return { bytes: 360 * KB, importTime: 1.5 };
}

const sourceMap = z.object({ sources: z.array(z.string()) });

/** What was built of a function: its code, what it loads later included, and of which sources and clients of AWS. */
export function builtFunction(name: string) {
  const folder = join('dist', 'functions', name);
  const contentOf = (ending: string): Buffer[] =>
    readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [readFileSync(join(folder, file))] : []));
  const sources = contentOf('.mjs.map').flatMap(
    (map) => z.parse(sourceMap, JSON.parse(map.toString())).sources,
  );
  const clients = new Set(
    sources.flatMap((source) => /node_modules\/@aws-sdk\/(client-[a-z0-9-]+)\//.exec(source)?.[1] ?? []),
  );
  return { code: Buffer.concat(contentOf('.mjs')), sources, clients: [...clients] };
}

/** What a function may weigh more that decides whether somebody may sell: the decision is what callers buy. */
export const decisionBytes = (sources: readonly string[]): number =>
  sources.some((source) => source.endsWith('shared/domain/decision/decide.ts')) ? 20 * KB : 0;
