import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeImageContext } from '../../scripts/image-context.mjs';

const run = promisify(execFile);

/** How an image wants to be started. */
export interface ImageConfig {
  /** `UID:GID` */
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: { readonly [path: string]: unknown };
}

/** Shells run this in a mount namespace of their own: crun refuses machines that have both kinds of control groups. */
const withOneKindOfGroups = 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"';

/** An image and a container of it, in a storage of their own. */
export class Image implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'binnacle-image-'));
  /** What the container has as its volume. */
  readonly data = join(this.folder, 'bundle', 'data');

  static async build(): Promise<Image> {
    const image = new Image();
    try {
      const context = join(image.folder, 'context');
      await writeImageContext(context);
      await image.#buildah('build', '--quiet', '--tag', 'binnacle', context);
      return image;
    } catch (error) {
      await image[Symbol.asyncDispose]();
      throw error;
    }
  }

  async config(): Promise<ImageConfig> {
    const description = JSON.parse(await this.#buildah('inspect', '--type', 'image', 'binnacle')) as {
      readonly OCIv1: { readonly config: ImageConfig };
    }; // buildah's
    return description.OCIv1.config;
  }

  /**
   * The command that runs a container as the image says, which can write only to its volume; with `flags` added, and
   * in the network of the machine.
   */
  async runCommand(...flags: readonly string[]): Promise<readonly string[]> {
    const bundle = join(this.folder, 'bundle');
    mkdirSync(bundle);
    const container = (await this.#buildah('from', 'binnacle')).trim();
    const path = (await this.#buildah('mount', container)).trim();
    await run('crun', ['spec'], { cwd: bundle });
    const { default: spec } = (await import(join(bundle, 'config.json'), { with: { type: 'json' } })) as {
      readonly default: RuntimeSpec;
    }; // crun's
    const image = await this.config();
    const [uid = 0, gid = 0] = image.User.split(':').map(Number);
    mkdirSync(this.data);
    chownSync(this.data, uid, gid);
    const volumes = Object.keys(image.Volumes).map((destination) => ({
      destination,
      type: 'bind',
      source: this.data,
      options: ['bind', 'rw'],
    }));
    const namespaces = spec.linux.namespaces.filter(({ type }) => type !== 'network');
    const changed = {
      ...spec,
      root: { path, readonly: true },
      process: {
        ...spec.process,
        terminal: false,
        user: { uid, gid },
        cwd: image.WorkingDir,
        env: image.Env,
        args: [...image.Entrypoint, ...image.Cmd, ...flags],
      },
      mounts: [...spec.mounts, ...volumes],
      linux: { ...spec.linux, namespaces },
    };
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(changed));
    return this.#crun('run', '--bundle', bundle, 'binnacle');
  }

  /** The command that asks the container to stop. */
  stopCommand(): readonly string[] {
    return this.#crun('kill', 'binnacle', 'TERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#buildah('rm', '--all').catch(() => undefined); // there may be none
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #buildah(...args: readonly string[]): Promise<string> {
    const storage = ['--storage-driver', 'vfs', '--root', join(this.folder, 'storage')];
    const { stdout } = await run('buildah', [...storage, '--runroot', join(this.folder, 'run'), ...args]);
    return stdout;
  }

  #crun(...args: readonly string[]): readonly string[] {
    const crun = ['crun', '--root', join(this.folder, 'crun'), '--cgroup-manager=disabled', ...args];
    return ['unshare', '--mount', 'sh', '-c', withOneKindOfGroups, 'sh', ...crun];
  }
}

/** What of it is changed here. */
interface RuntimeSpec {
  readonly process: object;
  readonly mounts: readonly object[];
  readonly linux: { readonly namespaces: readonly { readonly type: string }[] };
}
