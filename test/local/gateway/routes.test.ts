import { createRouter, MalformedPathError } from '../../../infra/local/gateway/routes.ts';

const resource = (path: string, ...methods: string[]) => ({
  path,
  methods: new Map(methods.map((method) => [method, `${method} ${path}`])),
});

const route = createRouter([
  resource('/{proxy+}', 'ANY'),
  resource('/', 'ANY'),
  resource('/associations/{id}', 'GET', 'ANY'),
  resource('/associations/add', 'POST'),
  resource('/associations/{id}/licenses/{license}', 'GET'),
  resource('/associations', 'GET'),
]);

const served = (method: string, path: string) => route(method, path)?.method;

describe('the gateway', () => {
  it.each([
    ['GET', '/', 'ANY /'],
    ['GET', '/associations', 'GET /associations'],
    ['GET', '/associations/', 'GET /associations'],
    ['GET', '/associations/7', 'GET /associations/{id}'],
    ['PUT', '/associations/7', 'ANY /associations/{id}'],
    ['POST', '/associations/add', 'POST /associations/add'],
    ['GET', '/associations/7/licenses/8', 'GET /associations/{id}/licenses/{license}'],
    ['GET', '/associations/7/licenses', 'ANY /{proxy+}'],
    ['GET', '/other/deep/path', 'ANY /{proxy+}'],
    ['GET', '/associations//', 'GET /associations'],
    ['GET', '//associations', 'GET /associations'],
    ['GET', '/associations//7', 'ANY /{proxy+}'],
    ['GET', '/associations//licenses/8', 'ANY /{proxy+}'],
  ])('serves %s %s by %s', (method, path, expected) => {
    expect(served(method, path)).toBe(expected);
  });

  it('lets the path decide before the method: a literal without the method does not fall back', () => {
    expect(route('GET', '/associations/add')).toMatchObject({ resource: { path: '/associations/add' } });
    expect(served('GET', '/associations/add')).toBeUndefined();
  });

  it('decodes the value of a parameter', () => {
    expect(route('GET', '/associations/a%2Fb%20c')?.pathParameters).toEqual({ id: 'a/b c' });
    expect(route('GET', '/x/y%20z')?.pathParameters).toEqual({ proxy: 'x/y z' });
    expect(route('GET', '/associations')?.pathParameters).toBeUndefined();
  });

  it('refuses a parameter with a malformed encoding', () => {
    expect(() => route('GET', '/associations/%zz')).toThrow(MalformedPathError);
  });
});
