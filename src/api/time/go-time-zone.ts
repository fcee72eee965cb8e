import { closeSync, openSync, readSync } from 'node:fs';
import { embeddedZones } from './go-time-zone-names.ts';

/** Where systems keep the time zone database; Go reads it before the one that it embeds. */
const folders = ['/usr/share/zoneinfo', '/usr/share/lib/zoneinfo', '/usr/lib/locale/TZ', '/etc/zoneinfo'];

/** Names found in files, which are as many as the database has. */
const found = new Set<string>();

/** What Go's `time.LoadLocation` says about a name, in which case counts; undefined if there is such a time zone. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return undefined;
  // What is embedded is a time zone even if the system has none of this name.
  if (embeddedZones.has(name) || found.has(name)) return undefined;
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) return 'time: invalid location name';
  let problem: string | undefined;
  for (const folder of folders) {
    const why = fileProblem(`${folder}/${name}`);
    if (why === undefined) {
      found.add(name);
      return undefined;
    }
    if (why !== absent) problem ??= why;
  }
  return problem ?? `unknown time zone ${name}`;
}

const absent = 'no such file or directory';

/** Texts of the errors that a name can cause. */
const errorTexts: { readonly [code: string]: string } = {
  ENOENT: absent,
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ENAMETOOLONG: 'file name too long',
  EACCES: 'permission denied',
  ELOOP: 'too many levels of symbolic links',
  ERR_INVALID_ARG_VALUE: 'invalid argument',
};

const headerBytes = 44;

/** Why a file has no time zone. */
function fileProblem(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const header = Buffer.alloc(headerBytes);
    const length = readSync(file, header);
    return length === headerBytes && isZone(header) ? undefined : 'malformed time zone information';
  } catch (error) {
    const text = error instanceof Error && 'code' in error ? errorTexts[String(error.code)] : undefined;
    if (text === undefined) throw error;
    return text;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** RFC 8536, section 3.1: magic, version, 15 unused bytes, six counts, of which the fifth is that of types. */
function isZone(header: Buffer): boolean {
  const version = header[4] ?? -1;
  return header.toString('latin1', 0, 4) === 'TZif' && [0, 0x32, 0x33].includes(version) && header.readUInt32BE(36) > 0;
}
