import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Listener, openListener } from '../../infra/local/listener.ts';

let listener: Listener;

beforeAll(async () => {
  listener = await openListener(0);
  listener.serve(async (request, response) => {
    // Every client of these tests closes its half of the connection.
    if (!request.socket.readableEnded) await once(request.socket, 'end');
    response.end(request.url);
  });
});
afterAll(() => listener.close());

/** What the server answers to a request whose client sends nothing more, and still reads. */
function answerTo(target: string): Promise<string> {
  const socket = connect({ port: listener.port, host: '127.0.0.1' });
  socket.end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return text(socket);
}

it('a client that closes its half of the connection after its request is answered', async () => {
  expect(await answerTo('/v2/heartbeat')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/v2\/heartbeat/s);
});

it.each([
  ['http://127.0.0.1:3000/v2/heartbeat?a=b', '/v2/heartbeat?a=b'],
  ['HTTPS://api.example.com', '/'],
  ['http://api.example.com?a=/b', '/?a=/b'],
  ['/v2/http://a/b', '/v2/http://a/b'],
])('a request for %s, in the absolute form of proxies, is one for %s', async (target, url) => {
  expect((await answerTo(target)).split('\r\n').find((line) => line.startsWith('/'))).toBe(url);
});
