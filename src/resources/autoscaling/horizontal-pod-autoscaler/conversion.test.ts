import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../api/json/json.ts';
import { autoscalerToV1, autoscalerToV2 } from './conversion.ts';

// The reference's autoscalers in both versions.
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/autoscalers.json'), 'utf8')) as {
  readonly v1: JsonObject;
  readonly v2: JsonObject;
}[];

const counts = ['currentReplicas', 'desiredReplicas'];

/** The reference shows empty statuses, and null for absent fields. */
function plain(object: JsonObject): JsonObject {
  const text = JSON.stringify(object, (key, value: unknown) =>
    value === null || (value === 0 && counts.includes(key)) ? undefined : value,
  );
  const { apiVersion: _, status = {}, ...rest } = JSON.parse(text) as JsonObject;
  return Object.keys(status as JsonObject).length === 0 ? rest : { ...rest, status };
}

describe.each(recorded)('autoscaler %#', ({ v1, v2 }) => {
  it('converts to v1', () => {
    expect(plain(autoscalerToV1(plain(v2)))).toEqual(plain(v1));
  });

  it('converts to v2', () => {
    expect(plain(autoscalerToV2(plain(v1)))).toEqual(plain(v2));
  });
});
