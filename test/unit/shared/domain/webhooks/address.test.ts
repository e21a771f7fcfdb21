import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import { isForbiddenAddress, urlFault } from '#domain/webhooks/address.ts';
import { createDrainQueues, drainMessage } from '#domain/webhooks/drain-queues.ts';
import { longestUrl } from '#domain/webhooks/resource.ts';
import type { QueueName } from '#domain/webhooks/stored.ts';
import { anyText } from '../../../../support/any-text.ts';

const deployed = { loopback: false };
const local = { loopback: true };

/** Every special range by its first and last address, and what lies beside it. */
const forbiddenV4 = [
  ['unspecified and this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['CGNAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.255'],
  ['link-local, where clouds answer for metadata', '169.254.0.0', '169.254.169.254'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
] as const;

const publicV4 = [
  '1.1.1.1',
  '11.0.0.0',
  '100.128.0.0',
  '128.0.0.0',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.20.0.0',
  '223.255.255.255',
];

const forbiddenV6 = [
  ['unspecified', '::', '0:0:0:0:0:0:0:0'],
  ['loopback', '::1', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::8.8.8.8', '::ffff'],
  ['IPv4-mapped, whatever it maps', '::ffff:127.0.0.1', '::ffff:808:808'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8'],
  ['NAT64 of a network', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarks', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:10::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:7f00:1::'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['not assigned', '4000::', '5f00::1'],
  ['unique local, where clouds answer for metadata', 'fc00::', 'fd00:ec2::254'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local with a zone', 'fe80::1%eth0', '2606:4700::1111%eth0'],
  ['site-local', 'fec0::', 'feff::'],
  ['multicast', 'ff00::', 'ff02::1'],
] as const;

const publicV6 = ['2001:200::', '2001:4860:4860::8888', '2606:4700:4700::1111', '2a00::', '3ffe::', '2003::'];

describe('an address', () => {
  it.each([...forbiddenV4, ...forbiddenV6])('is refused: %s, %s to %s', (_, first, last) => {
    expect(isForbiddenAddress(first, deployed)).toBe(true);
    expect(isForbiddenAddress(last, deployed)).toBe(true);
  });

  it.each([...publicV4, ...publicV6])('is accepted: %s', (address) => {
    expect(isForbiddenAddress(address, deployed)).toBe(false);
  });

  it.each(['', 'example.com', '1.2.3', '0x7f.0.0.1', '127.1'])(
    'that is malformed is refused: "%s"',
    (text) => {
      expect(isForbiddenAddress(text, deployed)).toBe(true);
      expect(isForbiddenAddress(text, local)).toBe(true);
    },
  );

  it('of the loopback interface is the only special one accepted in the local environment', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1']) {
      expect(isForbiddenAddress(address, local)).toBe(false);
    }
    for (const [, first] of [...forbiddenV4, ...forbiddenV6]) {
      const isLoopback = first === '127.0.0.1' || first === '::1';
      expect(isForbiddenAddress(first, local)).toBe(!isLoopback);
    }
  });
});

const taken = [
  'https://example.com',
  'https://example.com:8443/hooks',
  'HTTPS://Example.COM/hooks',
  'https://example.com./hooks',
  'https://xn--bcher-kva.example/hooks',
  'https://bücher.example/hooks',
  'https://[2606:4700:4700::1111]:8443/hooks',
  'https://internal.example.com/',
];

const refused = [
  ['no URL', '', 'https'],
  ['no host', 'https://', 'https'],
  ['no slashes', 'https:example.com', 'https'],
  ['another scheme', 'javascript:alert(1)', 'https'],
  ['http', 'http://example.com', 'https'],
  ['http on the port of https', 'http://example.com:443', 'https'],
  ['another port', 'https://example.com:80', 'port'],
  ['credentials', 'https://user:secret@example.com', 'credentials'],
  ['an empty user', 'https://@example.com/', 'credentials'],
  ['a fragment', 'https://example.com/#here', 'fragment'],
  ['an empty fragment', 'https://example.com/#', 'fragment'],
  ['a tab that the parser drops', 'https://exam\tple.com', 'control'],
  ['spaces around it', ' https://example.com ', 'spaces'],
  ['a backslash that the parser turns', 'https://example.com\\@127.0.0.1', 'backslashes'],
  ['this machine', 'https://LOCALHOST:8443/', 'public'],
  ['this machine', 'https://hooks.localhost/', 'public'],
  ['one label', 'https://intranet/', 'public'],
  ['a local name', 'https://printer.local/', 'public'],
  ['an internal name', 'https://metadata.google.internal./', 'public'],
  ['an empty label', 'https://example..com/', 'public'],
  ['loopback', 'https://127.0.0.1/', 'special'],
  ['loopback in short', 'https://127.1/', 'special'],
  ['loopback as a number', 'https://2130706433/', 'special'],
  ['loopback in hexadecimal', 'https://0x7f.0.0.1/', 'special'],
  ['loopback in wide digits', 'https://１２７.０.０.１/', 'special'],
  ['loopback with percent signs', 'https://%31%32%37.0.0.1/', 'special'],
  ['loopback', 'https://[::1]/', 'special'],
  ['mapped', 'https://[::ffff:169.254.169.254]/', 'special'],
  ['metadata', 'https://169.254.169.254/latest', 'special'],
  ['private', 'https://10.1.2.3:8443/', 'special'],
  ['unspecified', 'https://[::]/', 'special'],
] as const;

describe('the URL of a receiver', () => {
  it.each(taken)('is accepted: %s', (url) => {
    expect(urlFault(url, deployed)).toBeUndefined();
  });

  it.each(refused)('is refused: %s (%s)', (_, url, why) => {
    expect(urlFault(url, deployed)).toContain(why);
  });

  it('has at most 2,000 characters', () => {
    const longest = `https://example.com/${'a'.repeat(longestUrl - 'https://example.com/'.length)}`;
    expect(urlFault(longest, deployed)).toBeUndefined();
    expect(urlFault(`${longest}a`, deployed)).toContain('2000');
  });

  it.each([
    'http://127.0.0.1:9000/hooks',
    'http://localhost:3000/',
    'https://localhost/',
    'http://[::1]:65535/',
    'http://127.1/',
  ])('may be loopback in the local environment only: %s', (url) => {
    expect(urlFault(url, local)).toBeUndefined();
    expect(urlFault(url, deployed)).toBeDefined();
  });

  it.each(['http://user@localhost/', 'http://localhost/#here', 'http://example.com/', 'http://10.0.0.1/'])(
    'keeps to the other rules in the local environment: %s',
    (url) => {
      expect(urlFault(url, local)).toBeDefined();
    },
  );

  it('is checked for any input without throwing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), fc.webUrl({ withFragments: true })), async (text) => {
        const fault = urlFault(text, deployed);
        if (fault !== undefined) return;
        const url = new URL(text);
        expect(url.protocol).toBe('https:');
        expect(url.hash).toBe('');
        expect(['', '8443']).toContain(url.port);
      }),
    );
  });
});

describe('drain queues', () => {
  const sqs = mockClient(SQSClient);
  const queues = createDrainQueues(
    { 'deliveries-healthy': 'healthy-url', 'deliveries-failing': 'failing-url' },
    new SQSClient({ region: 'us-east-1' }),
  );

  beforeEach(() => sqs.reset());

  const message = (number: number, queue: QueueName) => ({
    owner: '65f0c1d2e3a4b5c6d7e8f901',
    webhookId: String(number).padStart(24, '0'),
    queue,
  });

  test('each message is sent to its queue, ten at a time, grouped by its organization, and received unchanged', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const messages = Array.from({ length: 25 }, (_, index) =>
      message(index, index < 12 ? 'healthy' : 'failing'),
    );
    await queues.send(messages.map((one, index) => ({ message: one, delaySeconds: index })));
    const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map(({ QueueUrl, Entries = [] }) => [QueueUrl, Entries.length])).toEqual([
      ['healthy-url', 10],
      ['healthy-url', 2],
      ['failing-url', 10],
      ['failing-url', 3],
    ]);
    const entries = calls.flatMap(({ Entries = [] }) => Entries);
    expect(entries.map(({ MessageBody = '' }) => drainMessage.parse(JSON.parse(MessageBody)))).toEqual(
      messages,
    );
    expect(entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual(messages.map((_, index) => index));
    expect(new Set(entries.map(({ MessageGroupId }) => MessageGroupId))).toEqual(
      new Set(['65f0c1d2e3a4b5c6d7e8f901']),
    );
  });

  test('a message that the queue refuses is reported', async () => {
    sqs.on(SendMessageBatchCommand).resolves({
      Successful: [],
      Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }],
    });
    await expect(queues.send([{ message: message(1, 'failing'), delaySeconds: 0 }])).rejects.toThrow(
      'The queue failing-url refused 1 of 1 messages: InternalError.',
    );
  });

  test('without messages there is no call', async () => {
    await queues.send([]);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
  });
});
