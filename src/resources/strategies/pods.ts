import type { Strategy } from '../../registry/strategy.ts';
import type { Pod } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import { qosClassOf } from './qos-class.ts';
import { strategyOf } from './strategy-row.ts';

const finished: ReadonlySet<string> = new Set(['Failed', 'Succeeded']);

/** What pods do beyond their schema. */
export const podStrategy: Strategy = strategyOf<Pod>({
  generation: 'spec',
  returnsDeletedObject: true,
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
    'status.podIPs': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  prepareForCreate(pod, { nowMs }) {
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec ?? {}) };
    if ((pod.spec?.schedulingGates ?? []).length === 0) return;
    pod.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastTransitionTime: formatSeconds(nowMs),
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  },
  gracePeriodSeconds(pod, requested) {
    if ((pod.spec?.nodeName ?? '') === '' || finished.has(pod.status?.phase ?? '')) return 0;
    const seconds = requested ?? pod.spec?.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  subresources: {
    status: {
      prepareForUpdate(pod, old) {
        if (old.metadata.ownerReferences === undefined) delete pod.metadata.ownerReferences;
        else pod.metadata.ownerReferences = structuredClone(old.metadata.ownerReferences);
        if (pod.status?.qosClass === undefined && old.status?.qosClass !== undefined) {
          pod.status = { ...pod.status, qosClass: old.status.qosClass };
        }
      },
    },
    ephemeralcontainers: {
      raisesGeneration: true,
      prepareForUpdate(pod, old) {
        const { ephemeralContainers } = pod.spec ?? {};
        pod.spec = structuredClone(old.spec ?? {});
        if (ephemeralContainers === undefined) delete pod.spec.ephemeralContainers;
        else pod.spec.ephemeralContainers = ephemeralContainers;
        keepStatusOf(pod, old);
      },
    },
    resize: {
      raisesGeneration: true,
      prepareForUpdate(pod, old) {
        const wanted = pod.spec ?? {};
        const spec = structuredClone(old.spec ?? {});
        for (const list of ['containers', 'initContainers'] as const) {
          for (const container of spec[list] ?? []) {
            const resized = wanted[list]?.find(({ name }) => name === container.name);
            if (resized?.resources !== undefined) container.resources = resized.resources;
            if (resized?.resizePolicy !== undefined) container.resizePolicy = resized.resizePolicy;
          }
        }
        pod.spec = spec;
        keepStatusOf(pod, old);
      },
    },
  },
});

function keepStatusOf(pod: Pod, old: Readonly<Pod>): void {
  if (old.status === undefined) delete pod.status;
  else pod.status = structuredClone(old.status);
}
