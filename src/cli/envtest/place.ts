/** Where our etcd tells our kube-apiserver about the store that it holds the place of. */
export const placePath = '/binnacle/place';

/** The parameter by which the server says where its certificates are. */
export const certDirParameter = 'cert-dir';

/**
 * The answer, one line of JSON. It is not ended: each side sees by the connection that the other has ended, even if
 * that was killed.
 */
export interface EtcdPlace {
  /** etcd's. */
  readonly dataDir: string;
  /** false: etcd was asked not to wait for the disk. */
  readonly syncs: boolean;
}
