import { JsonWriter } from '../api/json-writer.ts';

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const space = 0x20;

/** Compact JSON indented by two blanks a level, as Go's MarshalIndent; empty objects and arrays stay together. */
export function indentJson(json: Uint8Array): Buffer {
  const out = new JsonWriter();
  let depth = 0;
  const breakLine = (): void => {
    out.byte(newline);
    for (let i = 0; i < depth * 2; i++) out.byte(space);
  };
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number; // within bounds
    switch (String.fromCharCode(byte)) {
      case '"': {
        const end = endOfString(json, i);
        for (; i < end; i++) out.byte(json[i] as number); // within bounds
        out.byte(quote);
        break;
      }
      case '{':
      case '[':
        out.byte(byte);
        // The closing bracket follows the opening one by 2 in ASCII.
        if (json[i + 1] === byte + 2) out.byte(json[++i] as number); // within bounds
        else {
          depth++;
          breakLine();
        }
        break;
      case '}':
      case ']':
        depth--;
        breakLine();
        out.byte(byte);
        break;
      case ',':
        out.byte(byte);
        breakLine();
        break;
      case ':':
        out.byte(byte);
        out.byte(space);
        break;
      default:
        out.byte(byte);
    }
  }
  return out.take();
}

function endOfString(json: Uint8Array, start: number): number {
  let end = start + 1;
  while (json[end] !== quote && end < json.length) end += json[end] === backslash ? 2 : 1;
  return end;
}
