import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireWriter } from '../../api/bytes/wire-writer.ts';
import { MessageWriter } from './message-writer.ts';

/** A message: strings by field, and messages. */
type Tree = { readonly number: number; readonly content: string | readonly Tree[] };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    number: fc.integer({ min: 1, max: 2000 }),
    content: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'binary', maxLength: 20 }),
      // Around the lengths from which on a length takes another byte.
      fc
        .tuple(fc.constantFrom('x', '\u00e9', '\u65e5'), fc.constantFrom(42, 43, 126, 127, 128, 16_383, 16_384))
        .map(([character, count]) => character.repeat(count)),
      fc.array(tie('tree'), { maxLength: 6 }),
    ),
  }),
}));

test('lengths are right, however many bytes the last ones took', () => {
  const writer = new MessageWriter();
  let lengthBytes = 1;
  const write = ({ number, content }: Tree): void => {
    if (typeof content === 'string') return writer.text(number, content);
    const expected = lengthBytes;
    const start = writer.open(number, expected);
    for (const each of content) write(each);
    lengthBytes = writer.close(start, expected);
  };
  const message = ({ number, content }: Tree, out: WireWriter): WireWriter => {
    if (typeof content === 'string') return out.bytes(number, Buffer.from(content));
    const inner = new WireWriter();
    for (const each of content) message(each, inner);
    return out.message(number, inner);
  };
  fc.assert(
    fc.property(tree, (each) => {
      write(each);
      expect(writer.take().equals(message(each, new WireWriter()).finish())).toBe(true);
    }),
  );
});
