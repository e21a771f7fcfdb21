import { getOpenApiDocument } from '../../../../functions/auth/get-openapi-document.ts';

it('the served document names the address that was asked and the environment’s contact', async () => {
  const built = {
    openapi: '3.1.0',
    info: { title: 'API', contact: { name: 'API support', url: 'https://support.example.com' } },
    servers: [{ url: '/' }],
  };
  const { body } = await getOpenApiDocument(
    { baseUrl: () => 'https://api.carrier-compliance.com' },
    { readOpenApiDocument: async () => built, supportUrl: 'https://help.carrier-compliance.com' },
  );
  expect(JSON.parse(body)).toEqual({
    openapi: '3.1.0',
    info: { title: 'API', contact: { name: 'API support', url: 'https://help.carrier-compliance.com' } },
    servers: [expect.objectContaining({ url: 'https://api.carrier-compliance.com' })],
  });
});
