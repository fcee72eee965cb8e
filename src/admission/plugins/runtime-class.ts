import { writtenEmpty } from '../../api/json/written-notes.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { getOwn } from '../../api/json/json.ts';
import { compareQuantities, parseQuantity } from '../../api/values/quantity.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import type { Pod, PodSpec } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { RuntimeClass } from '../../schema/kubernetes/generated/types/node-v1.ts';
import { liveNameProblem } from './parts/live-name.ts';
import { mergeTolerations } from './parts/merge-tolerations.ts';
import type { PluginContext } from '../plugin-context.ts';
import { refusal, unexplained } from '../refusal.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';

type Amounts = { readonly [resource: string]: string };

const runtimeClasses = { group: 'node.k8s.io', version: 'v1', plural: 'runtimeclasses' };
const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const ownOverhead = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/** Applies the overhead and the scheduling constraints of the runtime class to pods. */
export function runtimeClass({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    operations: new Set(['CREATE']),
    mutate(attributes) {
      const spec = specOf(attributes);
      if (spec === undefined) return;
      return soon(classOf(attributes, spec, stored), (found) => {
        if (found === undefined) return;
        setOverhead(attributes, spec, found);
        setScheduling(attributes, spec, found);
      });
    },
    validate(attributes) {
      const spec = specOf(attributes);
      if (spec === undefined) return;
      return soon(classOf(attributes, spec, stored), (found) => {
        if (found?.overhead === undefined) {
          if (spec.overhead !== undefined || writtenEmpty(spec, 'overhead') !== undefined)
            throw refusal(attributes, ownOverhead);
        } else if (!sameAmounts(found.overhead.podFixed ?? {}, spec.overhead ?? {})) {
          throw refusal(attributes, otherOverhead);
        }
      });
    },
  };
}

/** The spec of the pod being created, if it is one. */
function specOf({ group, resource, subresource, object }: AdmissionAttributes): PodSpec | undefined {
  if (group !== '' || resource !== 'pods' || subresource !== '') return undefined;
  // Objects are decoded by the schema of their resource.
  const pod = object as Pod;
  pod.spec ??= {};
  return pod.spec;
}

function classOf(
  attributes: AdmissionAttributes,
  { runtimeClassName: name }: PodSpec,
  stored: StoredObjects,
): Soon<RuntimeClass | undefined> {
  if (name === undefined) return undefined;
  return soon(stored.get(runtimeClasses, { namespace: '', name }), (found) => {
    if (found === undefined) throw absent(attributes, name);
    // Decoded by the schema of runtime classes.
    return found as RuntimeClass & typeof found;
  });
}

function absent(attributes: AdmissionAttributes, name: string): Error {
  const problem = liveNameProblem(name);
  if (problem !== undefined) return unexplained(problem);
  return refusal(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
}

function setOverhead(attributes: AdmissionAttributes, spec: PodSpec, { overhead }: RuntimeClass): void {
  if (overhead === undefined) return;
  const { podFixed } = overhead;
  const given = spec.overhead ?? {};
  if (Object.keys(given).length > 0 && !sameAmounts(podFixed ?? {}, given)) throw refusal(attributes, otherOverhead);
  if (podFixed === undefined) delete spec.overhead;
  else spec.overhead = { ...podFixed };
}

function setScheduling(attributes: AdmissionAttributes, spec: PodSpec, { scheduling }: RuntimeClass): void {
  if (scheduling === undefined) return;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  const merged = new Map(Object.entries(spec.nodeSelector ?? {}));
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = merged.get(key);
    if (own !== undefined && own !== value) {
      const why = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
      throw refusal(attributes, `conflict: ${why}`);
    }
    merged.set(key, value);
  }
  if (merged.size > 0) spec.nodeSelector = Object.fromEntries(merged);
  const all = mergeTolerations(spec.tolerations ?? [], tolerations);
  if (all.length > 0) spec.tolerations = all;
}

/** Whether two resource lists are semantically equal. */
function sameAmounts(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [one, other] = [a[name], getOwn(b, name)];
      if (one === undefined || other === undefined) return false;
      return compareQuantities(parseQuantity(one), parseQuantity(other)) === 0;
    })
  );
}
