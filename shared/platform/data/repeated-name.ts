/** An object or array of a JSON text, while what is in it is read. */
interface Open {
  /** Names of an object's members; undefined for an array. */
  readonly names?: Set<string>;
  /** The name of the present member, or the index of the present element. */
  place: string | number;
}

/** End of a string: the next quote that no backslash escapes. */
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
  for (let index = 0; index < text.length; index += 1) {
    const inner = open.at(-1);
    switch (text[index]) {
      case '{':
        open.push({ names: new Set(), place: '' });
        isName = true;
        break;
      case '[':
        open.push({ place: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof inner?.place === 'number') inner.place += 1;
        isName = inner?.names !== undefined;
        break;
      case '"': {
        const end = endOfString(text, index);
        if (isName && inner?.names !== undefined) {
          inner.place = JSON.parse(text.slice(index, end + 1)) as string;
          if (inner.names.has(inner.place)) return open.map((frame) => frame.place);
          inner.names.add(inner.place);
          isName = false;
        }
        index = end;
        break;
      }
      default:
    }
  }
  return undefined;
}
