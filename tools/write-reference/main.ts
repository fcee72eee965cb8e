// node tools/write-reference/main.ts: writes docs/reference anew.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments } from '../arguments.ts';
import { shownMetrics } from './metrics.ts';
import { referencePages } from './pages.ts';

readArguments({});
const folder = join(import.meta.dirname, '../../docs/reference');
for (const [name, text] of referencePages(await shownMetrics())) await writeFile(join(folder, name), text);
