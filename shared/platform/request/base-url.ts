import type { APIGatewayProxyEvent } from 'aws-lambda';

const usualPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/**
 * The address in front of the routes' paths, as the caller sent it: `https://api.example.com` for a custom domain,
 * `https://<id>.execute-api.<region>.amazonaws.com/prod` for a stage's own address, which no template can pass to a
 * function of its own API.
 *
 * @param headers by their names in lower case; API Gateway sets those that begin with `x-forwarded-`.
 */
export function baseUrlOf(
  { resource, requestContext }: Pick<APIGatewayProxyEvent, 'resource' | 'requestContext'>,
  headers: Readonly<Record<string, string>>,
): string {
  const scheme = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  const port = headers['x-forwarded-port'];
  const isUsual = port === undefined || port === usualPorts[scheme];
  // What comes before the route in the path: a stage, or the base path of a custom domain.
  const prefix = segments(requestContext.path).slice(0, -segments(resource).length);
  const host = `${requestContext.domainName}${isUsual ? '' : `:${port}`}`;
  return [`${scheme}://${host}`, ...prefix].join('/');
}
