import { createSocket } from 'node:dgram';

interface Addresses {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
}

/** What a name server knows of a name, or when it will; a name that it does not know gets no response at all. */
type Zone = Readonly<Record<string, Addresses | Promise<Addresses>>>;

const types: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** The name and the type in a DNS question, and where the question ends. */
function questionOf(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: types[message.readUInt16BE(at + 1)], end: at + 5 };
}

/** The bytes of an address: full IPv6 addresses alone, without `::`. */
const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));

/** A record that refers to the name in the question. */
function recordOf(typeCode: number, address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeCode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Starts a name server on this machine. */
export async function startNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', async (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const known = await zone[name];
    if (known === undefined || type === undefined) return;
    const records = (known[type] ?? []).map((one) => recordOf(type === 'A' ? 1 : 28, one));
    const head = Buffer.from(message.subarray(0, 12));
    // A response without an error, with one question and these records.
    head.writeUInt16BE(0x8180, 2);
    [1, records.length, 0, 0].forEach((count, index) => void head.writeUInt16BE(count, 4 + 2 * index));
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
