import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { missingProgram, titled } from '../installed-programs.ts';
import { launcher } from '../release-form.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function completionScript(shell: string): string {
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, execFileSync(process.execPath, [launcher, 'completion', shell]));
  return path;
}

/** What is typed before and, with it, after the tabulator key, and the words that the command is then called with. */
const cases = [
  { typed: ['sn'], completed: 'snapshot' },
  { typed: ['snapshot re'], completed: 'snapshot restore' },
  { typed: ['snapshot save --data', 'x'], completed: 'snapshot save --data-dir=x' },
  { typed: ['--secure-p', '1'], completed: '--secure-port=1' },
  { typed: ['serve -v=2 --profil'], completed: 'serve -v=2 --profiling' },
  { typed: ['serve --authorization-mode=RBAC,N'], completed: 'serve --authorization-mode=RBAC,Node' },
  { typed: ['serve --authorization-mode RB'], completed: 'serve --authorization-mode RBAC' },
  { typed: ['completion z'], completed: 'completion zsh' },
  {
    typed: ['serve --profiling --token-auth-f', 'users.cs'],
    completed: 'serve --profiling --token-auth-file=users.cs',
  },
  { typed: ['snapshot status comp', 'c'], completed: 'snapshot status completion.c' },
];

/**
 * A person at a terminal, who has `binnacle` print what it is called with. Types when asked to: shells forget what they
 * were sent before.
 */
async function ranAtTerminal(command: string): Promise<readonly string[]> {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    // A dumb terminal would have no completion in zsh.
    env: { ...process.env, TERM: 'xterm', ZDOTDIR: folder },
  });
  const lines = cases.map(({ typed }) => `binnacle ${typed.join('\t')}${typed.length === 1 ? '\t' : ''}\n`);
  const waiting = [...lines, 'exit\n'];
  let shown = '';
  let requestCount = 0;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    shown += part;
    // Completed lines are shown again, with the prompt in front.
    const last = shown.slice(Math.max(0, shown.lastIndexOf('ran:')));
    if (shown.split('ran:').length - 1 < requestCount || !last.includes(prompt)) return;
    child.stdin.write(waiting[requestCount] ?? '');
    requestCount += 1;
  });
  await once(child, 'close');
  return [...shown.matchAll(/ran:([^\r\n]*)/g)].map(([, words = '']) => words.trim());
}

const prompt = 'next> ';

const printing = 'binnacle() { echo "ran:$*"; }';

const shells = [
  { shell: 'bash', command: 'bash --noprofile --rcfile .bashrc -i', file: '.bashrc', before: '' },
  { shell: 'zsh', command: 'zsh -d -i', file: '.zshrc', before: 'autoload -U compinit; compinit -u -d .dump' },
];

describe.each(shells)('$shell', ({ shell, command, file, before }) => {
  const why = missingProgram(shell, 'script');

  test.skipIf(why !== undefined)(titled('completes what is typed', why), async () => {
    writeFileSync(join(folder, 'completion.c'), '');
    writeFileSync(join(folder, file), `PS1='${prompt}'\n${before}\nsource ${completionScript(shell)}\n${printing}\n`);
    expect(await ranAtTerminal(command)).toEqual(cases.map(({ completed }) => completed));
  });
});

describe('fish', () => {
  const why = missingProgram('fish');

  test.skipIf(why !== undefined)(titled('completes what is typed', why), () => {
    writeFileSync(join(folder, 'completion.c'), '');
    const script = 'source $argv[1]; for typed in $argv[2..-1]; complete -C "binnacle $typed"; echo; end';
    const args = ['--no-config', '-c', script, completionScript('fish'), ...cases.map(({ typed }) => typed[0] ?? '')];
    const answers = execFileSync('fish', args, { cwd: folder, encoding: 'utf8' }).split('\n\n');
    const words = answers.map((answer) => answer.split('\n').map((line) => line.replace(/\t.*/, '')));
    // fish adds the = when the word is chosen.
    const wanted = cases.map(({ completed }) =>
      completed
        .split(' ')
        .at(-1)
        ?.replace(/=(?:x|1|users\.csv?)$/, ''),
    );
    expect(wanted.filter((word, index) => !words[index]?.includes(word ?? ''))).toEqual([]);
  });
});
