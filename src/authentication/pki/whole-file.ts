import { open, readFile, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';

export interface FileContent {
  readonly path: string;
  readonly text: string;
  /** File mode such as 0o600. */
  readonly mode: number;
  /** false: a power failure may lose the text. true by default. */
  readonly syncs?: boolean;
}

/** Undefined when the file does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // fs rejects with nothing else
    throw error;
  }
}

/** Atomic: a reader sees the old text or the new one. Durable as well, unless `syncs` is false. */
export async function writeWhole({ path, text, mode, syncs = true }: FileContent): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      if (syncs) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
