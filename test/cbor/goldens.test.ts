import { typedSource } from '../../src/codec/decode-body.ts';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { parseJson } from '../../src/codec/json.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { encodeJson } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';

// The Go module k8s.io/api has every kind in JSON. It is present where the reference has been built.
// `golden-digests.json` has the first bytes of the SHA-256 of each kind as encoded by k8s.io/apimachinery 0.37.1 in
// deterministic mode.
const modules = process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
const folder = join(modules, 'k8s.io', 'api@v0.37.1', 'testdata', 'HEAD');

const digests = Object.entries(
  JSON.parse(readFileSync(new URL('golden-digests.json', import.meta.url), 'utf8')) as { [id: string]: string },
);

const goldens = existsSync(folder) ? digests.flatMap(([id, digest]) => readGolden(id, digest)) : [];

/** `apps.v1.Deployment`; kinds without a resource in the release are not in the table. */
function readGolden(id: string, digest: string) {
  const parts = id.split('.');
  const kind = parts.pop() ?? '';
  const version = parts.pop() ?? '';
  const group = parts.join('.');
  const schema = schemaOfKind({ group: group === 'core' ? '' : group, version, kind });
  return schema === undefined ? [] : [{ id, digest, schema, json: readFileSync(join(folder, `${id}.json`)) }];
}

describe.skipIf(goldens.length === 0)('goldens of k8s.io/api (skipped where its Go module is missing)', () => {
  test('most kinds have one', () => {
    expect(goldens.length).toBeGreaterThan(100);
  });

  test.each(goldens)('$id is written byte for byte, and round-trips', ({ digest, schema, json }) => {
    const { object } = decodeObject(schema, parseJson(json));
    const written = encodeCbor(schema, object);
    expect(createHash('sha256').update(written).digest('hex').slice(0, digest.length)).toBe(digest);
    const body = cborSerializer.decode(written);
    const read = decodeObject(schema, typedSource(schema, body)).object;
    expect(body.strictErrors).toEqual([]);
    expect(encodeJson(schema, read)).toBe(encodeJson(schema, object));
  });
});
