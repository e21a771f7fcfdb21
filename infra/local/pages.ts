import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '#platform/contract/responses.ts';
import type { Demo } from './demo/demo.ts';
import { type createWebhookReceiver, receiverPath } from './demo/receiver.ts';

/** Other names that resolve to this machine may belong to a website that wants to read the demo's credentials. */
const isThisMachine = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

/**
 * Serves what the API does not have in AWS: the receiver of the demo's webhooks with its page, `/webhooks`, and the demo's credentials
 * for the reference at `/docs`; leads browsers from `/` to the reference.
 *
 * @param demo the demo's credentials, with which the reference calls the API; undefined while there are none
 * @returns a function that returns whether it handled the request
 */
export function createPages(
  demo: () => Demo | undefined,
  receiver: Pick<ReturnType<typeof createWebhookReceiver>, 'receive' | 'show'>,
) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'POST' && path === receiverPath) {
      receiver.receive(request, response).catch(() => response.destroy());
      return true;
    }
    if (request.method !== 'GET' || !isThisMachine(request.headers.host)) return false;
    if (path === '/' && request.headers.accept?.includes('text/html')) {
      response.writeHead(302, { ...commonHeaders, location: '/docs', vary: 'accept' }).end();
    } else if (path === '/docs/demo.json') {
      response.writeHead(200, { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(demo() ?? null));
    } else if (path === '/webhooks') receiver.show(response);
    else return false;
    return true;
  };
}
