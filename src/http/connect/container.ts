import { badRequest } from '../../api/errors/status-errors.ts';

/** What connections read of a pod. */
export interface ConnectedPod {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers?: readonly ConnectedContainer[];
    readonly initContainers?: readonly ConnectedContainer[];
    readonly ephemeralContainers?: readonly ConnectedContainer[];
  };
  readonly status?: { readonly podIPs?: readonly { readonly ip?: string }[] };
}

interface ConnectedContainer {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

/** The requested container of a pod, required if there are several. Throws a 400. */
export function chosenContainer({ spec }: ConnectedPod, pod: string, requested: string): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (requested !== '') {
    if (names.includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${pod}`);
  }
  const [only] = containers;
  if (containers.length === 1 && only !== undefined) return only.name;
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod}${choice}`);
}
