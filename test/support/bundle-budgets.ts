import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';

interface BundleBudget {
  /** Everything of the function's folder that is code: what is loaded at its start and later. */
  readonly bytes: number;
  /** Part of the import of a bundle that holds a DynamoDB client alone, as the SDK makes it. */
  readonly importTime: number;
}

/** What a function may weigh by its sources and the clients of AWS that it holds: `client-dynamodb`, `client-sqs`: 5 % more than is built, at least. */
function budgetOf(sources: readonly string[], clients: ReadonlySet<string>): BundleBudget {
  // What callers buy may weigh more: the decision whether somebody may sell.
  const decision = sources.some((source) => source.endsWith('shared/domain/decision/decide.ts'))
    ? 79 * KB
    : 0;
  if (clients.has('client-s3')) return { bytes: 658 * KB + decision, importTime: 0.9 };
  // The registry's reports are XML.
  const reports = sources.some((source) => source.includes('/@rgrove/parse-xml/')) ? 30 * KB : 0;
  if (clients.size > 1) return { bytes: 441 * KB + decision + reports, importTime: 0.85 };
  return { bytes: 362 * KB + decision + reports, importTime: 0.8 };
}

const sourceMap = z.object({ sources: z.array(z.string()) });

/** What was built of a function: its code, what it loads later included, of which sources, and what it may weigh. */
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
  return { code: Buffer.concat(contentOf('.mjs')), sources, budget: budgetOf(sources, clients) };
}
