import { isJsonObject, type JsonObject } from '../src/api/json/json.ts';
import { applyWithOwners } from '../src/fieldmanagement/apply.ts';
import { managedAfterUpdate, type ManagedKind, type ManagedObject } from '../src/fieldmanagement/field-manager.ts';
import { mergeTypeOf } from '../src/fieldmanagement/schema-type.ts';
import { decodePlain } from '../src/schema/decode.ts';
import { schemaOfKind } from '../src/schema/kubernetes/definitions.ts';
import { wireForm } from '../src/schema/wire-form.ts';
import { podName, podText } from './pod.ts';

/**
 * Cost of ownership tracking alone, for the pod of the other benchmarks: `node bench/ownership.ts [COUNT]`. CPU is the
 * thread's.
 */
const count = Number(process.argv[2] ?? 5000);
const now = '2026-01-02T03:04:05Z';
const manager = 'bench';
const group = '';
const version = 'v1';

const schema = schemaOfKind({ group, version, kind: 'Pod' });
if (schema === undefined) throw new Error('no schema of pods');
const kind: ManagedKind = {
  kind: { group, version, kind: 'Pod' },
  subresource: '',
  type: mergeTypeOf(schema),
  convert: (object) => object,
  filterOf: () => undefined,
};

function view(object: JsonObject): JsonObject {
  return schema === undefined ? object : wireForm(schema, decodePlain(schema, object).object as JsonObject); // decoded as an object
}

const empty: ManagedObject = { object: view({ apiVersion: 'v1', kind: 'Pod', metadata: {} }), entries: undefined };

function pod(index: number, annotation?: string): JsonObject {
  const { metadata, ...rest } = JSON.parse(podText(podName(index), 800)) as JsonObject; // podText writes an object
  const own = isJsonObject(metadata) ? metadata : {};
  const annotations = isJsonObject(own['annotations']) ? own['annotations'] : {};
  const touched = annotation === undefined ? {} : { 'example.com/touched': annotation };
  return view({ ...rest, metadata: { ...own, uid: `uid-${index}`, annotations: { ...annotations, ...touched } } });
}

const created = Array.from({ length: count }, (_, index) => pod(index));
const touched = created.map((_, index) => pod(index, `${index}`));
const entries = await Promise.all(
  created.map((object) =>
    managedAfterUpdate(kind, { live: empty, updated: { object, entries: undefined }, manager, now }),
  ),
);
const live = created.map((object, index): ManagedObject => ({ object, entries: entries[index] }));
const patch = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', annotations: { 'example.com/applied': 'yes' } },
  spec: { containers: [{ name: 'web', image: 'registry.example.com/shop/web:1.43.0' }] },
};

const cases: { readonly [what: string]: (index: number) => Promise<unknown> } = {
  'a created pod': (index) => {
    const object = created[index] ?? {};
    return managedAfterUpdate(kind, { live: empty, updated: { object, entries: undefined }, manager, now });
  },
  'a pod with one annotation more': (index) => {
    const before = live[index] ?? empty;
    const after = { object: touched[index] ?? {}, entries: before.entries };
    return managedAfterUpdate(kind, { live: before, updated: after, manager: 'other', now });
  },
  'an apply to a pod': (index) => {
    const before = live[index] ?? empty;
    return applyWithOwners(kind, { live: before, empty: empty.object, patch, manager: 'applier', force: true, now });
  },
};

for (const [what, run] of Object.entries(cases)) {
  for (let index = 0; index < count; index += 1) await run(index);
  const before = process.threadCpuUsage();
  for (let index = 0; index < count; index += 1) await run(index);
  const { user, system } = process.threadCpuUsage(before);
  console.log(`owners of ${what}: ${((user + system) / count).toFixed(1)} us`);
}
