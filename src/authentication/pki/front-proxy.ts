import { mkdir } from 'node:fs/promises';
import type { RequestHeaderConfig } from '../authentication-config.ts';
import {
  type Authority,
  type AuthorityRequest,
  type CertificateAndKey,
  openAuthority,
  openLeaf,
} from './certificate-store.ts';

const commonName = 'front-proxy-client';

/** The headers by which this server names users to other API servers. */
export const frontProxyHeaders: RequestHeaderConfig = {
  clientCaFile: undefined,
  allowedNames: [commonName],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

/**
 * The certificate that lets other API servers trust the users named by this server, when no flag names one, in files of
 * the certificate folder: `front-proxy-ca` and `front-proxy-client`. Each is read or issued when first asked for.
 */
export class FrontProxy {
  readonly #files: Omit<AuthorityRequest, 'name'>;
  #authority: Promise<Authority> | undefined;
  #client: Promise<CertificateAndKey> | undefined;

  constructor(files: Omit<AuthorityRequest, 'name'>) {
    this.#files = files;
  }

  /** PEM. */
  async authority(): Promise<string> {
    return (await this.#opened()).pem.certificate;
  }

  client(): Promise<CertificateAndKey> {
    return (this.#client ??= this.#openClient());
  }

  #opened(): Promise<Authority> {
    return (this.#authority ??= this.#openAuthority());
  }

  async #openAuthority(): Promise<Authority> {
    await mkdir(this.#files.folder, { recursive: true, mode: 0o700 });
    return openAuthority({ ...this.#files, name: 'front-proxy-ca' });
  }

  async #openClient(): Promise<CertificateAndKey> {
    const template = { subject: { commonName }, usage: 'client' } as const;
    return openLeaf({ ...this.#files, name: commonName, template, authority: await this.#opened() });
  }
}
