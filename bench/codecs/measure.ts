import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBody, parseBody } from '../../src/codec/decode-body.ts';
import type { Serializer } from '../../src/codec/serializer.ts';
import { parseStored } from '../../src/codec/stored-json.ts';
import { jsonSerializer } from '../../src/codec/json-serializer.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { encodeJsonBytes } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import { allSerializers } from '../../tools/random-objects/serializers.ts';
import type { TargetReport } from '../report.ts';
import type { Figure } from '../rows/row.ts';
import { leastCpuUs } from './cpu-time.ts';
import { encoderOf } from './encoders.ts';

const expected = { group: '', version: 'v1', kind: 'Pod' };
const goSource = join(import.meta.dirname, 'go');

/** The measurements of one media type, and the encoded pod. */
interface Measured {
  readonly mediaType: string;
  readonly decodeUs: number;
  readonly encodeUs: number;
  readonly body: Buffer;
}

/** Decoding and encoding of a 3 KB pod in each format: ours in this process, Go's in its own. */
export function measureCodecs({ withReference }: { readonly withReference: boolean }): readonly TargetReport[] {
  const pod = readPod();
  const own = allSerializers.map((serializer) => measureOwn(serializer, pod));
  const reports = [{ target: 'Binnacle', figures: own.flatMap(figuresOf) }];
  const missing = withReference ? missingGo() : 'not asked for';
  if (missing !== undefined) {
    console.error(`Go's codecs are left out: ${missing}`);
    return reports;
  }
  const theirs = measureGo(pod);
  for (const { mediaType, body } of own) {
    const other = theirs.find((each) => each.mediaType === mediaType);
    if (other?.body.equals(body) !== true) throw new Error(`${mediaType}: Go writes the pod in other bytes`);
  }
  return [...reports, { target: 'Go', figures: theirs.flatMap(figuresOf) }];
}

/** Compact JSON, as a server sends it. */
function readPod(): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(readFileSync(join(import.meta.dirname, 'pod.json'), 'utf8'))));
}

function figuresOf({ mediaType, decodeUs, encodeUs }: Measured): readonly Figure[] {
  return [
    { name: `decode pod, ${mediaType}`, unit: 'us', value: decodeUs },
    { name: `encode pod, ${mediaType}`, unit: 'us', value: encodeUs },
  ];
}

/** As in a server: bodies to objects by schema, with strict errors collected, and objects to bodies. */
function measureOwn(serializer: Serializer, pod: Buffer): Measured {
  const { mediaType } = serializer;
  const schema = schemaOfKind(expected);
  if (schema === undefined) throw new Error('pods have no schema');
  const encode = encoderOf(serializer);
  const decode = (bytes: Uint8Array, by: Serializer) => {
    const request = { bytes, serializer: by, expected, fieldValidation: 'Strict' } as const;
    return decodeBody(request, parseBody(request), schema).object;
  };
  // Encoding starts from a stored object, as for responses.
  const stored = encodeJsonBytes(schema, decode(pod, jsonSerializer));
  const { object } = decodeObject(schema, parseStored(stored));
  const body = Buffer.from(encode(schema, object));
  return {
    mediaType,
    decodeUs: leastCpuUs(() => decode(body, serializer)),
    encodeUs: leastCpuUs(() => encode(schema, object)),
    body,
  };
}

function missingGo(): string | undefined {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no go on the PATH';
  }
}

function measureGo(pod: Buffer): readonly Measured[] {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-codecs-'));
  try {
    const program = join(folder, 'codecs');
    execFileSync('go', ['build', '-o', program, '.'], { cwd: goSource, stdio: ['ignore', 'ignore', 'inherit'] });
    const env = { ...process.env, GOMAXPROCS: '1' };
    const lines = execFileSync(program, { input: pod, env, encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => {
      const { body, ...rest } = JSON.parse(line) as Omit<Measured, 'body'> & { readonly body: string }; // see main.go
      return { ...rest, body: Buffer.from(body, 'base64') };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
