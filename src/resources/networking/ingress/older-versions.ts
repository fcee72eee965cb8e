import type { JsonObject } from '../../../api/json/json.ts';
import { changed, eachOf, inSpec, renamed } from '../../parts/conversions/changed.ts';

export const ingressFromBeta1 = inSpec(ingressSpec);

function ingressSpec(spec: JsonObject): JsonObject {
  const moved = changed(renamed(spec, 'backend', 'defaultBackend'), 'defaultBackend', ingressBackend);
  return eachOf(moved, 'rules', (rule) =>
    changed(rule, 'http', (http) => eachOf(http, 'paths', (path) => changed(path, 'backend', ingressBackend))),
  );
}

function ingressBackend({ serviceName = '', servicePort = 0, ...others }: JsonObject): JsonObject {
  if (serviceName === '' && servicePort === 0) return others;
  const port = typeof servicePort === 'string' ? { name: servicePort } : { number: servicePort };
  return { ...others, service: { name: serviceName, port } };
}
