import { documentedGroups } from '../../infra/openapi/docs.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';

test('every body is required, but that of a test event', () => {
  const bodies = Object.values(openApiDocument(documentedGroups).paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) => (requestBody ? [{ operationId, requestBody }] : []));
  expect(bodies.length).toBeGreaterThan(10);
  const optional = bodies.filter(({ requestBody }) => !requestBody.required);
  expect(optional.map(({ operationId }) => operationId)).toEqual(['testWebhook']);
});
