import { describe, expect, test } from 'vitest';
import type { RunningServer, ServerConfig } from '../server/config.ts';
import { runProgram } from './program.ts';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What a server was started with. */
  readonly config: ServerConfig | undefined;
}

/** As much as the command uses. */
const server: Partial<RunningServer> = {
  url: 'https://127.0.0.1:6443',
  kubeconfigPath: '/data/admin.kubeconfig',
  settled: Promise.resolve(),
  close: () => Promise.resolve(),
};

async function run(...args: readonly string[]): Promise<Run> {
  let [out, err] = ['', ''];
  let config: ServerConfig | undefined;
  const code = await runProgram(args, {
    startServer: (given) => {
      config = given;
      return Promise.resolve(server as RunningServer); // what is missing is for Node programs
    },
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    stopRequested: () => Promise.resolve(),
  });
  return { code, out, err, config };
}

describe('without a command', () => {
  test.each([
    { args: [], modes: ['RBAC'] },
    { args: ['--secure-port=7443'], modes: ['RBAC'] },
    { args: ['--authorization_mode=AlwaysAllow'], modes: ['AlwaysAllow'] },
    { args: ['--authorization-mode', 'Node,RBAC'], modes: ['Node', 'RBAC'] },
    { args: ['--authorization-webhook-version=v1'], modes: ['RBAC'] },
    { args: ['serve'], modes: ['AlwaysAllow'] },
  ])('$args authorize by $modes', async ({ args, modes }) => {
    const { code, config, err } = await run(...args);
    expect({ code, err, modes: config?.authorization.modes }).toEqual({ code: 0, err: '', modes });
  });

  test('a file that chooses is enough', async () => {
    const { config } = await run('--authorization-config=modes.yaml');
    expect(config?.authorization.configFile).toMatch(/modes\.yaml$/);
    expect(config?.flags.get('authorization-mode')).toBe('[]');
  });

  test('it says how the server is reached', async () => {
    const { out } = await run();
    expect(out).toContain('kubectl --kubeconfig /data/admin.kubeconfig get namespaces');
  });
});

describe('help', () => {
  test.each([['--help'], ['-h'], ['help'], ['--secure-port=1', '--help']])('%s %s fits a screen', async (...args) => {
    const { code, out } = await run(...args.filter((each) => each !== undefined));
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(out).toContain('binnacle serve --help');
    for (const name of ['serve', 'envtest', 'snapshot restore <file>', 'compact', 'completion <shell>'])
      expect(out).toMatch(new RegExp(`^  ${name} +[a-z]`, 'm'));
  });

  test('of serve has the flags', async () => {
    const { code, out } = await run('serve', '--help');
    expect(code).toBe(0);
    expect(out).toContain('--secure-port <int>');
  });
});

describe('what is misspelt', () => {
  test.each([
    { args: ['snapsho'], suggestion: 'snapshot' },
    { args: ['snapshot', 'stauts', 'file'], suggestion: 'status' },
    { args: ['--secure-prot=1'], suggestion: '--secure-port' },
    { args: ['serve', '--secure_prot=1'], suggestion: '--secure-port' },
    { args: ['compact', '--revison=1'], suggestion: '--revision' },
    { args: ['completion', 'tcsh'], suggestion: 'bash, zsh, fish' },
    { args: ['nothing-like-it'], suggestion: 'binnacle --help' },
    { args: ['serve', 'now'], suggestion: 'binnacle --help' },
  ])('$args ends with 1 and names $suggestion', async ({ args, suggestion }) => {
    const { code, out, err, config } = await run(...args);
    expect({ code, out, config }).toEqual({ code: 1, out: '', config: undefined });
    expect(err).toContain(suggestion);
  });
});
