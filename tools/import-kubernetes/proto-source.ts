// Field numbers of the messages in a generated.proto file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Field numbers by message and field name. */
export type ProtoMessages = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads a package's generated.proto; empty if it has none. */
export function readProto(dir: string): ProtoMessages {
  const messages = new Map<string, Map<string, number>>();
  const file = join(dir, 'generated.proto');
  if (!existsSync(file)) return messages;
  let current: Map<string, number> | undefined;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const message = /^message (\w+) \{/.exec(line);
    if (message?.[1] !== undefined) {
      current = new Map();
      messages.set(message[1], current);
      continue;
    }
    const field = /^ {2}(?:optional |repeated |required )?[\w.<>, ]+ (\w+) = (\d+)(?: \[.*\])?;/.exec(line);
    if (field?.[1] !== undefined) current?.set(field[1], Number(field[2]));
  }
  return messages;
}
