import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';

/** Import of any function beside that of a bundle that holds a DynamoDB client alone, as the SDK makes it: 5 % more than measured. */
export const longestImport = 1.15;

/** Bytes that a function's folder may have of code, what is loaded at its start and later, by its sources and the clients of AWS that it holds: 5 % more than is built, at least. */
function budgetOf(sources: readonly string[], clients: ReadonlySet<string>): number {
  // What callers buy may weigh more: the decision whether somebody may sell.
  const decision = sources.some((source) => source.endsWith('shared/domain/decision/decide.ts'))
    ? 79 * KB
    : 0;
  if (clients.has('client-s3')) return 658 * KB + decision;
  // The registry's reports are XML.
  const reports = sources.some((source) => source.includes('/@rgrove/parse-xml/')) ? 30 * KB : 0;
  if (clients.size > 1) return 441 * KB + decision + reports;
  return 362 * KB + decision + reports;
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
