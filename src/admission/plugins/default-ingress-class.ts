import type { AdmissionPlugin } from '../../api/contracts/admission.ts';
import { soon } from '../../api/scheduling/soon.ts';
import type { Ingress } from '../../schema/kubernetes/generated/types/networking-v1.ts';
import { newestDefault } from './parts/newest-default.ts';
import type { PluginContext } from '../plugin-context.ts';
import { setInSpec } from './parts/set-in-spec.ts';

const ingressClasses = { group: 'networking.k8s.io', version: 'v1', plural: 'ingressclasses' };
const marks = ['ingressclass.kubernetes.io/is-default-class'];
/** The annotation that named the class before the field existed. */
const oldClassAnnotation = 'kubernetes.io/ingress.class';

/** Gives ingresses without a class the default one. */
export function defaultIngressClass({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    operations: new Set(['CREATE']),
    mutate({ group, resource, subresource, object }) {
      if (group !== 'networking.k8s.io' || resource !== 'ingresses' || subresource !== '') return;
      // Objects are decoded by the schema of their resource.
      const ingress = object as Ingress;
      if (ingress.spec?.ingressClassName !== undefined) return;
      if (ingress.metadata?.annotations?.[oldClassAnnotation] !== undefined) return;
      return soon(stored.list(ingressClasses), (classes) => {
        const ingressClassName = newestDefault(classes, marks);
        if (ingressClassName !== undefined) setInSpec(ingress, { ingressClassName });
      });
    },
  };
}
