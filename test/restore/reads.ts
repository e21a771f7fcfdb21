import type { Route } from '#platform/contract/route.ts';
import { demoBearer, servedRequest } from '../support/demo.ts';
import { fill, routes } from '../support/every-route.ts';
import { call, exchange } from '../support/local-api.ts';

/** A request of the demo's organizations that is served, of every route that reads. */
export interface Read {
  readonly title: string;
  readonly kind: 'upstream' | 'downstream';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Headers of the demo's organizations, by their kind. */
export type Callers = Readonly<Record<Read['kind'], Readonly<Record<string, string>>>>;

/** What a response says of its moment and not of a record, and addresses, which are signed anew each time. */
const ofTheMoment = /"(requestId|timestamp|asOf|since|expiresAt|downloadUrl|viewUrl|url)":"[^"]*"/g;

const isRead = ([, { method, access }]: readonly [string, Route]): boolean =>
  method === 'GET' && access !== 'public' && access.credential !== 'restricted access token';

/** Every read that the demo is served: lists, pages, and single records. */
export async function readsOfDemo(): Promise<Read[]> {
  const reads: Read[] = [];
  for (const [title, route] of routes.filter(isRead)) {
    const { owner, ids, query } = await servedRequest(route);
    const kind = owner === (await demoBearer('downstream')) ? 'downstream' : 'upstream';
    reads.push({ title, kind, path: fill(route.path, (name) => ids[name] ?? ''), query });
  }
  return reads;
}

/** Signs in as the demo's organizations. */
export async function signIn(
  credentials: Readonly<Record<Read['kind'], { clientId: string; clientSecret: string }>>,
): Promise<Callers> {
  const header = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
    authorization: `Bearer ${await exchange(clientId, clientSecret)}`,
  });
  return { upstream: await header(credentials.upstream), downstream: await header(credentials.downstream) };
}

/** What each read is answered now, by its title, without what changes from one moment to the next. */
export async function answersTo(reads: readonly Read[], callers: Callers): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const { title, kind, path, query } of reads) {
    const { status, text } = await call('GET', path, { headers: callers[kind], query });
    answers.set(title, `${status} ${text.replaceAll(ofTheMoment, '"$1":""')}`);
  }
  return answers;
}

/** The reads that are answered differently, each with the first place at which its answers part. */
export const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  Array.from(one).flatMap(([title, answer]) => {
    const again = other.get(title) ?? '';
    if (answer === again) return [];
    const parted = Array.from(answer).findIndex((letter, index) => letter !== again[index]);
    const from = Math.max(0, parted - 40);
    return [`${title} (…${answer.slice(from, parted + 40)}… and …${again.slice(from, parted + 40)}…)`];
  });
