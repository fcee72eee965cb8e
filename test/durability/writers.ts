import { openSync, writeSync } from 'node:fs';
import { openEmbeddedStorage } from '../../src/storage/embedded/engine.ts';
import { valueOf } from './history.ts';

/**
 * Writes until killed: `node writers.ts DATA_DIR WRITERS`. Each writer cycles through its own five keys (create, update
 * ..., sometimes delete) and logs acknowledgements to `DATA_DIR.acknowledged`: `key revision`, or `-key revision` for a
 * deletion.
 */
const [dataDir = '', writers = '1'] = process.argv.slice(2);
const notes = openSync(`${dataDir}.acknowledged`, 'a');
const storage = await openEmbeddedStorage({ dataDir });

async function writeOn(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const key = `/w/${writer}/${turn % 5}`;
    const { kv } = await storage.get(key);
    const expectedModRevision = kv?.modRevision ?? 0;
    const remove = kv !== undefined && turn % 7 === 6;
    const result = await (remove
      ? storage.delete({ key, expectedModRevision })
      : storage.put({ key, value: valueOf(key, expectedModRevision), expectedModRevision }));
    if (!result.succeeded) throw new Error(`${key} has one writer, yet it changed`);
    writeSync(notes, `${remove ? '-' : ''}${key} ${result.revision}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => writeOn(writer)));
