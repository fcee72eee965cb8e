import { programPath } from '../programs.ts';

/** What a container of an image starts. */
export interface Image {
  /** Programs of this machine by their path in the image. */
  readonly programs: { readonly [path: string]: string };
  readonly entrypoint: readonly string[];
  readonly arguments: readonly string[];
}

/** By the last part of the name without its tag; the tools of this machine are in all of them. */
const images: { readonly [name: string]: Image } = {
  agnhost: {
    programs: { '/agnhost': programPath('agnhost') },
    entrypoint: ['/agnhost'],
    arguments: ['pause'],
  },
  busybox: { programs: {}, entrypoint: [], arguments: ['sh'] },
  etcd: {
    programs: { '/usr/local/bin/etcd': programPath('etcd') },
    entrypoint: [],
    arguments: ['/usr/local/bin/etcd'],
  },
  'sample-apiserver': {
    programs: { '/sample-apiserver': programPath('sample-apiserver') },
    entrypoint: ['/sample-apiserver'],
    arguments: ['--etcd-servers=http://localhost:2379'],
  },
};

/** Undefined for images that containers are only said to run. */
export function imageOf(reference: string): Image | undefined {
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  const name = last.split(/[:@]/)[0] ?? '';
  return Object.hasOwn(images, name) ? images[name] : undefined;
}
