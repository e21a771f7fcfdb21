/**
 * Bytes of an item as DynamoDB counts them: its attributes' names and values, with a few bytes for numbers, lists and maps.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 *
 * @param item as DynamoDB's wire format has it, or the SDK, which has bytes as bytes
 */
export function storedBytes(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function valueBytes(attribute: unknown): number {
  if (!isObject(attribute)) return 0;
  const [[type, value] = ['NULL', true]] = Object.entries(attribute);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(value));
    case 'B':
      return value instanceof Uint8Array ? value.length : Buffer.from(String(value), 'base64').length;
    case 'N':
      // A byte for two digits, one more, and one for a sign.
      return (
        Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + (String(value).startsWith('-') ? 2 : 1)
      );
    case 'SS':
    case 'NS':
      return Array.isArray(value)
        ? value.reduce((sum: number, member) => sum + Buffer.byteLength(String(member)), 0)
        : 0;
    case 'L':
      return Array.isArray(value)
        ? value.reduce((sum: number, member) => sum + 1 + valueBytes(member), 3)
        : 3;
    case 'M':
      return isObject(value)
        ? Object.entries(value).reduce(
            (sum, [name, member]) => sum + 1 + Buffer.byteLength(name) + valueBytes(member),
            3,
          )
        : 3;
    default:
      return 1;
  }
}
