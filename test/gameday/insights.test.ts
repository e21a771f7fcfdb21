import { savedQueries } from '../../infra/watch/queries.ts';
import { type LogLine, parseQuery } from './insights.ts';
import { metricsOfAws } from './metrics.ts';

const at = Date.parse('2026-03-01T14:05:09.000Z');
const line = (more: object): LogLine => ({ '@timestamp': at, '@message': JSON.stringify(more), ...more });

const lines = [
  line({ event: 'request', status: '500', route: '/a', durationMs: 10, error: { name: 'TypeError' } }),
  line({ event: 'request', status: '200', route: '/a', durationMs: 30 }),
  line({ event: 'request', status: '500', route: '/b', durationMs: 20 }),
  line({ level: 'ERROR', message: 'Task timed out after 3.00 seconds' }),
];

test.each([
  [
    'filter status >= 500\n| stats count() as requests by route\n| sort requests desc, route desc',
    [
      { route: '/b', requests: 1 },
      { route: '/a', requests: 1 },
    ],
  ],
  [
    'filter event in ["request", "other"] and not status = 500\n| fields route, durationMs',
    [{ route: '/a', durationMs: 30 }],
  ],
  [
    'filter (level = "ERROR" and not ispresent(event)) or route like /^.b$/\n| fields coalesce(route, level) as what',
    [{ what: '/b' }, { what: 'ERROR' }],
  ],
  [
    'filter ispresent(route)\n| stats pct(durationMs, 50) as p50, max(durationMs) as most, sum(durationMs) as all, latest(route) as last by bin(1m)',
    [{ 'bin(1m)': '2026-03-01 14:05:00.000', p50: 20, most: 30, all: 60, last: '/b' }],
  ],
  ['filter @message like /timed out|exited/\n| fields @timestamp\n| limit 1', [{ '@timestamp': at }]],
  [
    'stats count() as failures by error.name\n| sort failures\n| limit 1',
    [{ 'error.name': 'TypeError', failures: 1 }],
  ],
] as const)('%s', (query, rows) => {
  expect(parseQuery(query)(lines)).toEqual(rows);
});

test.each(savedQueries)('$name is a query that an exercise could run', ({ commands }) => {
  expect(parseQuery(commands.join('\n| '))([])).toEqual([]);
});

test.each(Object.entries(metricsOfAws))('%s is documented by AWS', (_, { page }) => {
  expect(page).toMatch(/^https:\/\/docs\.aws\.amazon\.com\/\S+$/);
});

test.each([
  'stats avg(durationMs)',
  'parse @message "x"',
  'filter a ~ 1',
  'fields length(a)',
  'filter a = "b',
])('a query that is not supported is an error: %s', (query) => {
  expect(() => parseQuery(query)).toThrow();
});
