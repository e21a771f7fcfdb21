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

it('a client that closes its half of the connection after its request is answered', async () => {
  const socket = connect({ port: listener.port, host: '127.0.0.1' });
  socket.end('GET /v2/heartbeat HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/v2\/heartbeat/s);
});
