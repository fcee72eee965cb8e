import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/api/json/json.ts';
import { encodeAny } from '../../../../src/api/json/json-text.ts';
import { customKinds, type CustomKind } from './definitions.ts';
import { type Kept, CustomKeeper } from './keeper.ts';
import { customSequence } from './sequence.ts';

/** In place of the digest of a validation error: those are not under test. */
export const refusedByValidation = '422';

export function customKindOf(label: string): CustomKind {
  const found = customKinds.find((each) => each.label === label);
  if (found === undefined) throw new Error(`no kind ${label}`);
  return found;
}

export function digestOfKept(kept: Kept): string {
  if (kept.code === 422) return refusedByValidation;
  return createHash('sha256')
    .update(encodeAny(comparable(kept)))
    .digest('hex')
    .slice(0, 10);
}

const serverFields: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'namespace',
]);

/** The parts that are the same in every run. */
export function comparable({ code, body }: Kept): JsonObject {
  if (!isJsonObject(body)) return { code };
  if (code >= 400)
    return { code, message: code === 404 ? '' : (body['message'] ?? ''), causes: causesOf(body['details']) };
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  const { managedFields = [], ...others } = metadata;
  const kept = Object.entries(others).filter(([name]) => !serverFields.has(name));
  const entries = Array.isArray(managedFields) ? managedFields.map(timeless) : [];
  return { code, ...body, metadata: { ...Object.fromEntries(kept), managedFields: entries.toSorted(byText) } };
}

/** The order of several conflicts is random there. */
function causesOf(details: JsonValue | undefined): JsonValue[] {
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  return Array.isArray(causes) ? causes.toSorted(byText) : [];
}

function timeless(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...others } = entry;
  return others;
}

function byText(a: JsonValue, b: JsonValue): number {
  return encodeAny(a) < encodeAny(b) ? -1 : 1;
}

/** The field manager's results for a sequence; writes with recorded validation errors are skipped. */
export async function replayed(
  custom: CustomKind,
  seed: number,
  isRefused: (index: number) => boolean,
): Promise<readonly Kept[]> {
  const keeper = new CustomKeeper(custom);
  const answers: Kept[] = [];
  for (const [phase, writes] of customSequence(custom, seed).entries()) {
    for (const write of writes) {
      answers.push(isRefused(answers.length) ? { code: 422, body: null } : await keeper.write(phase, write));
    }
  }
  return answers;
}
