import { createServer as createHttpsServer } from 'node:https';
import { listening, post } from '../../../support/exchange.ts';
import { selfSigned } from '../../../support/self-signed.ts';

describe('addresses are checked when connecting', () => {
  const rules = { loopback: false };
  const resolvingTo = (...addresses: readonly string[]) => {
    const asked: string[] = [];
    return {
      asked,
      resolve: async (name: string) => {
        asked.push(name);
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    };
  };

  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ])('a name that resolves to %s is refused', async (address) => {
    const { resolve } = resolvingTo(address);
    expect(await post('https://receiver.example/', { rules, resolve })).toMatchObject({
      statusCode: null,
      error: 'forbidden address',
    });
  });

  test('a name with one forbidden address among public ones is refused', async () => {
    const { resolve } = resolvingTo('93.184.215.14', '10.0.0.1');
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name that resolves to no address is refused', async () => {
    const { resolve } = resolvingTo();
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name is resolved once per attempt, which prevents DNS rebinding', async () => {
    const server = createHttpsServer(selfSigned('receiver.example'), (_, response) => response.end());
    const { connections } = await listening(server, 8443);
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: answers[asked - 1] ?? '', family: 4 }];
    };
    const first = await post('https://receiver.example:8443/', { resolve });
    // Connected to the address that was checked; the certificate is for this name but not trusted.
    expect([first.error, asked, connections()]).toEqual(['tls', 1, 1]);
    const second = await post('https://receiver.example:8443/', { resolve });
    expect([second.error, asked, connections()]).toEqual(['forbidden address', 2, 1]);
  });

  test.each([
    'http://receiver.example/',
    'https://receiver.example:8080/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'http://localhost:3000/',
    'https://metadata.internal/',
  ])('%s is not even looked up', async (url) => {
    const { resolve, asked } = resolvingTo('93.184.215.14');
    expect((await post(url, { rules, resolve })).error).toBe('forbidden address');
    expect(asked).toEqual([]);
  });
});
