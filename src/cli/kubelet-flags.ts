import type { KubeletConfig, ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { duration, integer, string, strings } from './flag-types.ts';

/** Flags of logs and of streams to containers. */
export const kubeletFlags: readonly BuiltFlag[] = [
  flag('kubelet-certificate-authority', {
    type: string,
    help: 'certificates that vouch for kubelets; without any, whoever answers at the address of a node is taken for one',
    set: (file, config) => kubelets(config, { authorityFile: fileOf(file) }),
  }),
  flag('kubelet-client-certificate', {
    type: string,
    help: 'certificate that kubelets are shown',
    set: (file, config) => kubelets(config, { certificateFile: fileOf(file) }),
  }),
  flag('kubelet-client-key', {
    type: string,
    help: 'key of the certificate that kubelets are shown',
    set: (file, config) => kubelets(config, { keyFile: fileOf(file) }),
  }),
  flag('kubelet-port', {
    type: integer,
    help: 'port of kubelets whose nodes tell none (deprecated)',
    ownType: 'uint',
    set: (port, config) => kubelets(config, { port }),
  }),
  flag('kubelet-preferred-address-types', {
    type: strings,
    help: 'types of node addresses; the first that a node has is where its kubelet is called',
    set: (preferredAddressTypes, config) => kubelets(config, { preferredAddressTypes }),
  }),
  flag('kubelet-timeout', {
    type: duration,
    help: 'taken, but without effect, as in kube-apiserver: logs and streams may last',
    set: () => ({}),
  }),
];

function kubelets({ kubelets: before }: ServerConfig, changes: Partial<KubeletConfig>) {
  return { kubelets: { ...before, ...changes } };
}
