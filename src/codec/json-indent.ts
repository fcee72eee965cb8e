const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const space = 0x20;

/** Compact JSON indented by two blanks a level, as Go's MarshalIndent; empty objects and arrays stay together. */
export function indentJson(json: Uint8Array): Buffer {
  const out: number[] = [];
  let depth = 0;
  const breakLine = (): void => {
    out.push(newline);
    for (let i = 0; i < depth * 2; i++) out.push(space);
  };
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number; // within bounds
    switch (String.fromCharCode(byte)) {
      case '"': {
        const end = endOfString(json, i);
        for (; i < end; i++) out.push(json[i] as number); // within bounds
        out.push(quote);
        break;
      }
      case '{':
      case '[':
        out.push(byte);
        // The closing bracket follows the opening one by 2 in ASCII.
        if (json[i + 1] === byte + 2) out.push(json[++i] as number); // within bounds
        else {
          depth++;
          breakLine();
        }
        break;
      case '}':
      case ']':
        depth--;
        breakLine();
        out.push(byte);
        break;
      case ',':
        out.push(byte);
        breakLine();
        break;
      case ':':
        out.push(byte, space);
        break;
      default:
        out.push(byte);
    }
  }
  return Buffer.from(out);
}

function endOfString(json: Uint8Array, start: number): number {
  let end = start + 1;
  while (json[end] !== quote && end < json.length) end += json[end] === backslash ? 2 : 1;
  return end;
}
