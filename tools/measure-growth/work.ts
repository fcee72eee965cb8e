import { type FieldErrors, fieldErrorText } from '../../src/api/errors/field-error.ts';
import type { Findings } from '../../src/api/errors/findings.ts';
import { maxFound } from '../../src/api/errors/findings.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { KubernetesObject } from '../../src/api/meta/object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../src/api/validation/object-meta-validation.ts';
import { metaRules } from '../../src/registry/write/metadata.ts';
import type { CompleteStrategy } from '../../src/registry/kinds/complete-strategy.ts';
import type { UpdateStrategy } from '../../src/registry/kinds/strategy.ts';
import type { TableDefinition } from '../../src/registry/kinds/table.ts';
import { writeContext } from '../../src/registry/kinds/testdata/write-context.ts';
import { tableRow } from '../../src/resources/table-rows.ts';
import { applyDefaults } from '../../src/schema/default.ts';
import type { Defaulters } from '../../src/schema/defaulters.ts';
import type { Resource } from '../../src/schema/resource.ts';

/** A step of a write between decoding and storing. */
export interface Work {
  readonly name: string;
  /** For updates, use a larger `old`: the object with different last items. */
  readonly old?: 'large';
  /** Owns both arguments; returns the milliseconds of the longest stretch without a pause. */
  run(object: KubernetesObject, old: KubernetesObject): number | Promise<number>;
}

const context = writeContext();
const scope = { dryRun: true, context };

export interface KindOfWork {
  readonly resource: Resource;
  readonly strategy: CompleteStrategy;
  readonly defaulters: Defaulters;
  readonly table: TableDefinition;
}

export function worksOf(kind: KindOfWork): Work[] {
  const { resource, strategy, table } = kind;
  return [
    { name: 'defaults', run: (object) => defaulted(kind, object) },
    {
      name: 'preparation',
      run: (object) =>
        Math.max(
          timed(() => strategy.prepareForCreate?.(object, context)),
          drained(strategy.preparationWarnings?.(object) ?? [], (text) => text),
        ),
    },
    {
      name: 'metadata',
      run: (object) =>
        drainedErrors(validateObjectMeta(object.metadata, metaRules(object, resource, strategy.nameRule))),
    },
    {
      name: 'validation',
      async run(object) {
        await strategy.beginCreate?.(object, scope);
        return drainedErrors(strategy.validate?.(object, context) ?? []);
      },
    },
    { name: 'warnings', run: (object) => drained(strategy.warnings?.(object, context) ?? [], (text) => text) },
    ...updatesOf('update', strategy, (object, old) => strategy.beginUpdate?.(object, old, scope)),
    ...Object.entries(strategy.subresources).flatMap(([name, update]) => updatesOf(name, update)),
    {
      name: 'table',
      run: (object) => timed(() => tableRow(table, object, { nowMs: 0 } as Parameters<typeof tableRow>[2])),
    },
  ];
}

/** Once with the grown object as the old one, once with its beginning: either may grow. */
function updatesOf(
  name: string,
  strategy: UpdateStrategy,
  begin: (object: KubernetesObject, old: KubernetesObject) => unknown = () => undefined,
): Work[] {
  const update = async (object: KubernetesObject, old: KubernetesObject): Promise<number> => {
    await begin(object, old);
    return Math.max(
      timed(() => strategy.prepareForUpdate?.(object, old, context)),
      drainedErrors(validateObjectMetaUpdate(object.metadata, old.metadata)),
      drainedErrors(strategy.validateUpdate?.(object, old, context) ?? []),
      drained(strategy.updateWarnings?.(object, old, context) ?? [], (text) => text),
    );
  };
  return [
    { name: `${name} of a small one`, run: update },
    { name: `${name} to a small one`, run: (object, old) => update(old, object) },
    { name: `${name} of itself`, old: 'large', run: update },
  ];
}

/** A copy with different last items. */
export function changed(object: KubernetesObject): KubernetesObject {
  const copy = structuredClone(object);
  changeLast(copy as unknown as JsonObject);
  return copy;
}

function changeLast(value: JsonObject): void {
  for (const part of Object.values(value)) {
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part) && part.length > 10) part.pop();
    else changeLast(part as JsonObject);
  }
}

function defaulted({ resource: { schema }, defaulters }: KindOfWork, object: KubernetesObject): number {
  return timed(() => applyDefaults(schema, object, defaulters));
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function drainedErrors(errors: FieldErrors): number {
  return drained(errors, fieldErrorText);
}

/** Like `collect`. */
function drained<T>(findings: Findings<T>, textOf: (finding: T) => string): number {
  let [longest, count, chars] = [0, 0, 0];
  let start = performance.now();
  for (const finding of findings) {
    if (finding !== undefined) {
      chars += textOf(finding).length;
      count++;
    }
    const now = performance.now();
    longest = Math.max(longest, now - start);
    start = now;
    if (count > maxFound || chars > 1024 * 1024) break;
  }
  return Math.max(longest, performance.now() - start);
}
