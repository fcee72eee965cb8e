import { forbiddenField, invalidField, keyPath } from '../../../api/errors/field-error.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, isEmpty } from '../../parts/rules/rules.ts';
import { isHeadless, loadBalancerClass, needsHealthCheck, type Service, validateService } from './validation.ts';

export function* validateServiceUpdate(service: Service, old: Service): Errors {
  const { spec = {} } = service;
  const before = old.spec ?? {};
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName') {
    if (!(isHeadless(service) && isHeadless(old))) yield* clusterAddressUpdate(spec, before);
    if (!isHeadless(service) && !isHeadless(old)) yield* familyUpdate(spec, before);
  }
  if (
    spec.type === 'LoadBalancer' &&
    before.type === 'LoadBalancer' &&
    spec.loadBalancerClass !== before.loadBalancerClass
  ) {
    yield invalidField('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set');
  }
  yield* loadBalancerClass(service);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && spec.healthCheckNodePort !== before.healthCheckNodePort) {
    yield forbiddenField('spec.healthCheckNodePort', 'field is immutable');
  }
  yield* validateService(service, old);
}

const onceSet = 'may not change once set';

function* clusterAddressUpdate(spec: core.ServiceSpec, old: core.ServiceSpec): Errors {
  const [now, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const shown = spec.clusterIPs ?? null;
  if (now.length === before.length) {
    for (const [index, address] of before.entries()) {
      if (address !== now[index]) yield invalidField(keyPath('spec.clusterIPs', index), shown, onceSet);
    }
    return;
  }
  const path = 'spec.clusterIPs[0]';
  if (now.length === 0) yield invalidField(path, shown, 'primary clusterIP can not be unset');
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) yield invalidField(path, shown, onceSet);
  if (before.length > now.length && now.length === 1) yield* release(spec, 'clusterIP');
}

function* familyUpdate(spec: core.ServiceSpec, old: core.ServiceSpec): Errors {
  const [now, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const path = 'spec.ipFamilies[0]';
  if (now.length === before.length) {
    for (const [index, family] of before.entries()) {
      if (family !== now[index]) yield invalidField(path, now, onceSet);
    }
    return;
  }
  const isFewer = before.length > now.length;
  if (isFewer && isEmpty(spec.clusterIPs)) yield invalidField(path, now, 'primary ipFamily can not be unset');
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) {
    yield invalidField(path, spec.clusterIPs ?? null, onceSet);
  }
  if (isFewer && now.length === 1) yield* release(spec, 'ipFamily');
}

function* release({ ipFamilyPolicy: policy }: core.ServiceSpec, what: string): Errors {
  if (policy === 'SingleStack') return;
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  yield invalidField('spec.ipFamilyPolicy', policy ?? null, detail);
}
