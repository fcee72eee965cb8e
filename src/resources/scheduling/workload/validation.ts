import { childPath, duplicateField, invalidField, keyPath } from '../../../api/errors/field-error.ts';
import { findingsOfItems } from '../../../api/errors/findings.ts';
import type * as scheduling from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import type { Errors } from '../../parts/rules/rules.ts';

// A workload is a tree: groups of pods, and composite groups that consist of both.

type Composite = scheduling.CompositePodGroupTemplate;
type Tree = Pick<Composite, 'podGroupTemplates' | 'compositePodGroupTemplates'>;

export function* workload(object: scheduling.Workload): Errors {
  yield* templates(object.spec ?? {});
  yield* declaredOfObject(object);
}

export function* workloadUpdate(object: scheduling.Workload, old: scheduling.Workload): Errors {
  yield* templates(object.spec ?? {});
  yield* declaredOfObject(object, old);
}

const maxDepth = 4;

function* templates(spec: scheduling.WorkloadSpec): Errors {
  const names = new Set(spec.podGroupTemplates?.map(({ name = '' }) => name));
  yield* repeatedNames(spec, names, 'spec');
  const path = 'spec.compositePodGroupTemplates';
  const composites = spec.compositePodGroupTemplates ?? [];
  for (const [index, composite] of composites.entries()) {
    if (depthOf(composite) < maxDepth) continue;
    const value = internalValue('[]scheduling.CompositePodGroupTemplate', composite.compositePodGroupTemplates);
    yield invalidField(keyPath(path, index), value, `maximum template hierarchy depth is ${maxDepth}`);
  }
  yield* priorities(spec);
  yield* childless(composites, path);
}

/** Names that another list has already; those of one list are told apart by its type. */
function* repeatedNames({ compositePodGroupTemplates = [] }: Tree, names: Set<string>, path: string): Errors {
  const own = childPath(path, 'compositePodGroupTemplates');
  yield* repeatedIn(compositePodGroupTemplates, names, own);
  for (const [index, composite] of compositePodGroupTemplates.entries()) {
    const inside = keyPath(own, index);
    yield* repeatedIn(composite.podGroupTemplates ?? [], names, childPath(inside, 'podGroupTemplates'));
    yield* repeatedNames(composite, names, inside);
  }
}

function* repeatedIn(list: readonly { readonly name?: string }[], names: Set<string>, path: string): Errors {
  for (const [index, { name = '' }] of list.entries()) {
    if (names.has(name)) yield duplicateField(childPath(keyPath(path, index), 'name'), name);
  }
  for (const { name = '' } of list) names.add(name);
}

function depthOf({ compositePodGroupTemplates = [] }: Tree): number {
  return 1 + Math.max(0, ...compositePodGroupTemplates.map(depthOf));
}

/** The whole tree has one priority. */
function* priorities(spec: scheduling.WorkloadSpec): Errors {
  const own = new Set(spec.podGroupTemplates?.map(priorityOf));
  const all = new Set([...own, ...prioritiesIn(spec.compositePodGroupTemplates ?? [])]);
  if (own.size > 1) yield invalidField('spec', null, 'detected multiple priority configurations');
  else if (all.size > 1) {
    const detail = 'all priority and priorityClassName values must be identical, detected multiple values';
    yield invalidField('spec', null, detail);
  }
}

function priorityOf({ priority, priorityClassName = '' }: Pick<Composite, 'priority' | 'priorityClassName'>): string {
  return JSON.stringify([priorityClassName, priority ?? null]);
}

function prioritiesIn(composites: readonly Composite[]): string[] {
  return composites.flatMap((composite) => [
    priorityOf(composite),
    ...prioritiesIn(composite.compositePodGroupTemplates ?? []),
    ...(composite.podGroupTemplates ?? []).map(priorityOf),
  ]);
}

function childless(composites: readonly Composite[], path: string): Errors {
  return findingsOfItems(composites, function* (composite, index): Errors {
    const { name = '', podGroupTemplates = [], compositePodGroupTemplates = [] } = composite;
    const at = keyPath(path, index);
    if (podGroupTemplates.length === 0 && compositePodGroupTemplates.length === 0) {
      yield invalidField(at, name, 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate');
    }
    yield* childless(compositePodGroupTemplates, childPath(at, 'compositePodGroupTemplates'));
  });
}
