import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownMetrics = 2;

/** Reads the storage version, v2: the v1 form does not preserve the order of metrics. */
export const horizontalPodAutoscalers = defineTable<HorizontalPodAutoscaler>({
  columns: [
    nameColumn,
    textColumn('Reference', 'Kind and name of the scaled object.'),
    textColumn('Targets', 'Current and target values of the first few metrics.'),
    textColumn('MinPods', 'Minimum number of pods.'),
    textColumn('MaxPods', 'Maximum number of pods.'),
    textColumn('Replicas', 'Number of pods that exist.'),
    ageColumn,
  ],
  cells(autoscaler, context) {
    const { spec = {}, status = {} } = autoscaler;
    const target = spec.scaleTargetRef ?? {};
    return [
      nameOf(autoscaler),
      `${target.kind ?? ''}/${target.name ?? ''}`,
      metricsText(spec.metrics, status.currentMetrics),
      spec.minReplicas === undefined ? '<unset>' : `${spec.minReplicas}`,
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      age(autoscaler, context),
    ];
  },
});

function metricsText(specs: readonly MetricSpec[] = [], statuses: readonly MetricStatus[] = []): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.map((spec, index) => metricText(spec, statuses[index])).slice(0, shownMetrics);
  const more = specs.length - texts.length;
  return more === 0 ? texts.join(', ') : `${texts.join(', ')} + ${more} more...`;
}

/** The metric and its current value, unknown if the status at this index is not of this type. */
function metricText(spec: MetricSpec, status: MetricStatus = {}): string {
  switch (spec.type) {
    case 'External':
      return valueText(spec.external?.target, status.external && (status.external.current ?? {}));
    case 'Object':
      return valueText(spec.object?.target, status.object && (status.object.current ?? {}));
    case 'Pods':
      return averageText(spec.pods?.target, status.pods && (status.pods.current ?? {}));
    case 'Resource': {
      const current = status.resource && (status.resource.current ?? {});
      return `${spec.resource?.name ?? ''}: ${resourceText(spec.resource?.target, current)}`;
    }
    case 'ContainerResource': {
      const current = status.containerResource && (status.containerResource.current ?? {});
      return `${spec.containerResource?.name ?? ''}: ${resourceText(spec.containerResource?.target, current)}`;
    }
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget = {}, current: MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
  return `${reported(current, 'value')}/${target.value ?? '<nil>'}`;
}

function averageText(target: MetricTarget = {}, current: MetricValueStatus | undefined): string {
  return `${reported(current, 'averageValue')}/${target.averageValue ?? '<nil>'}`;
}

function resourceText(target: MetricTarget = {}, current: MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined) return averageText(target, current);
  const utilization = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return `${current?.averageUtilization === undefined ? '<unknown>' : `${current.averageUtilization}%`}/${utilization}`;
}

/** Prints `<nil>` for a status without the value, `<unknown>` without a status. */
function reported(current: MetricValueStatus | undefined, field: 'value' | 'averageValue'): string {
  return current === undefined ? '<unknown>' : (current[field] ?? '<nil>');
}
