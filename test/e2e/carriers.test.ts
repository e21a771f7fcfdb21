import * as z from 'zod/mini';
import { carrier as carrierSchema } from '../../shared/domain/carriers/resource.ts';
import { features } from '../../shared/platform/contract/access.ts';
import { admin, call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';

const path = '/v2/upstream/carriers';

const page = z.strictObject({
  items: z.array(z.strictObject(carrierSchema.shape)),
  total: z.number(),
  page: z.number(),
  limit: z.number(),
  totalPages: z.number(),
});

let organization: Organization;

beforeAll(async () => {
  // No feature but public_api is needed.
  organization = await newOrganization('upstreamEntity', {
    features: features.filter((feature) => feature === 'public_api'),
  });
});

const list = async (query = '') => {
  const { status, json } = await call('GET', `${path}${query}`, { headers: organization.bearer });
  expect(status).toBe(200);
  return z.parse(page, json['data']);
};

describe('the list of carriers', () => {
  it('has the page envelope, with 50 per page by default', async () => {
    const { items, total, ...rest } = await list();
    expect(rest).toEqual({ page: 1, limit: 50, totalPages: Math.ceil(total / 50) });
    expect(items).toHaveLength(Math.min(total, 50));
    expect(total).toBeGreaterThanOrEqual(3);
  });

  it('contains every carrier once, by name', async () => {
    const { total } = await list();
    const names: string[] = [];
    for (let number = 1; number <= Math.ceil(total / 2); number += 1) {
      names.push(...(await list(`?page=${number}&limit=2`)).items.map(({ name }) => name));
    }
    expect(names).toHaveLength(total);
    expect(names.map((name) => name.toLowerCase())).toEqual(
      names.map((name) => name.toLowerCase()).toSorted(),
    );
  });

  it.each([
    ['part of a name, in another case', '?search=HARBORline'],
    ['a NAIC code', '?search=10786'],
    ['part of a NAIC code, spaces around it', '?search=%20%201078%20'],
  ])('is searched by %s', async (_, query) => {
    expect(await list(query)).toMatchObject({
      items: [{ name: 'Harborline Surplus Insurance Company', naicCode: '10786' }],
      total: 1,
    });
  });

  it('is empty when nothing matches', async () => {
    expect(await list('?search=no%20such%20carrier')).toEqual({
      items: [],
      total: 0,
      page: 1,
      limit: 50,
      totalPages: 0,
    });
  });

  it.each([
    ['limit', '?limit=101'],
    ['limit', '?limit=0'],
    ['page', '?page=0'],
    ['search', '?search='],
    ['search', '?search=%20'],
    ['name', '?name=beacon'],
  ])('is refused for its %s with %s', async (parameter, query) => {
    const { status, json } = await call('GET', `${path}${query}`, { headers: organization.bearer });
    expect(status).toBe(400);
    const details = { issues: [expect.objectContaining({ path: parameter })] };
    expect(json).toMatchObject(errorShape(400, 'validation_error', { details }));
  });
});

it('a NAIC code belongs to one carrier until that carrier is deleted', async () => {
  const importCarriers = (...records: object[]) =>
    admin('import', {
      firstLine: 1,
      lines: records.map((record) => JSON.stringify({ type: 'carrier', ...record })),
    });
  const one = { _id: 'c0ffee000000000000000001', name: 'E2e One', naicCode: 'E2E-1' };
  const two = { _id: 'c0ffee000000000000000002', name: 'E2e Two', naicCode: 'E2E-1' };
  expect(await importCarriers(one)).toMatchObject({ imported: 1, rejected: [] });
  expect(await importCarriers(two)).toMatchObject({
    imported: 0,
    rejected: [{ line: 1, issues: [{ path: 'naicCode' }] }],
  });
  expect(await importCarriers({ ...one, isDeleted: true }, two)).toMatchObject({ imported: 2, rejected: [] });
});
