import { createGetOpenApiDocument } from '../../../../functions/auth/function.ts';

it('the served document names the address that was asked and the environment’s contact', async () => {
  const built = {
    openapi: '3.1.0',
    info: { title: 'API', contact: { name: 'API support', url: 'https://support.example.com' } },
    servers: [{ url: '/' }],
  };
  const serve = createGetOpenApiDocument(async () => built, 'https://help.carrier-compliance.com');
  const { body } = await serve({ baseUrl: () => 'https://api.carrier-compliance.com' });
  expect(JSON.parse(body)).toEqual({
    openapi: '3.1.0',
    info: { title: 'API', contact: { name: 'API support', url: 'https://help.carrier-compliance.com' } },
    servers: [expect.objectContaining({ url: 'https://api.carrier-compliance.com' })],
  });
});
