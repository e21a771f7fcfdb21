import type { Route } from './route.ts';

/** What the duration of a request depends on: alarms watch each class by itself. */
export const routeClasses = ['token', 'read', 'page', 'write', 'list', 'upload'] as const;

export type RouteClass = (typeof routeClasses)[number];

/** The class of a route. A list is as slow as its caller reads it, or as what it adds up is long, an upload as its caller sends it. */
export function routeClass({ method, rate, answer, form, isLong }: Route): RouteClass {
  if (rate === 'token') return 'token';
  if (form !== undefined) return 'upload';
  if ('all' in answer || isLong === true) return 'list';
  if (method !== 'GET') return 'write';
  return 'page' in answer || 'cursor' in answer ? 'page' : 'read';
}
