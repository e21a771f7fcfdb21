/** An object or array of a JSON text, while what is in it is read. */
interface Open {
  /** Of an object's members; undefined for an array. */
  readonly names?: Set<string>;
  /** The name of the present member, or the index of the present element. */
  at: string | number;
}

/** Where a string ends: at the next quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return end;
}

/**
 * The path of the first name in a JSON text that its object has had before; undefined where there is none. `JSON.parse` keeps the
 * last of such members without a word. One pass, and no recursion, however deep the text is nested.
 * @param text what `JSON.parse` has accepted
 */
export function repeatedName(text: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const inner = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ names: new Set(), at: '' });
        isName = true;
        break;
      case '[':
        open.push({ at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof inner?.at === 'number') inner.at += 1;
        isName = inner?.names !== undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName && inner?.names !== undefined) {
          inner.at = JSON.parse(text.slice(at, end + 1)) as string;
          if (inner.names.has(inner.at)) return open.map((one) => one.at);
          inner.names.add(inner.at);
          isName = false;
        }
        at = end;
        break;
      }
      default:
    }
  }
  return undefined;
}
