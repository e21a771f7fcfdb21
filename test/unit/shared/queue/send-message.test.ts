import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSendMessage } from '../../../../shared/queue/send-message.ts';

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/123456789012/registry-sync';

interface Heard {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server that answers with these statuses in turn. */
async function serverOf(
  ...statuses: number[]
): Promise<{ server: Server; endpoint: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      response.writeHead(statuses[heard.length - 1] ?? 500).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, endpoint: `http://127.0.0.1:${port}`, heard };
}

const sending = (endpoint: string) =>
  createSendMessage({
    queueUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    endpoint,
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

test('a message is sent as SQS takes it, signed for the role', async () => {
  const { server, endpoint, heard } = await serverOf(200);
  await sending(endpoint)('{"jobId":"1"}');
  await close(server);
  expect(heard).toHaveLength(1);
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ QueueUrl: queueUrl, MessageBody: '{"jobId":"1"}' });
  expect(heard[0]?.headers).toMatchObject({
    'x-amz-target': 'AmazonSQS.SendMessage',
    'content-type': 'application/x-amz-json-1.0',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/sqs\/aws4_request/,
    ),
  });
});

test('a queue that fails is asked again', async () => {
  const { server, endpoint, heard } = await serverOf(503, 500, 200);
  await sending(endpoint)('once');
  await close(server);
  expect(heard).toHaveLength(3);
});

test('a message that the queue never takes is not taken for sent', async () => {
  const { server, endpoint, heard } = await serverOf(503, 503, 503);
  await expect(sending(endpoint)('lost')).rejects.toThrow('SQS answered 503');
  await close(server);
  expect(heard).toHaveLength(3);
});

test('an address where nobody listens is a failure too', async () => {
  await expect(sending('http://127.0.0.1:9')('lost')).rejects.toThrow();
});
