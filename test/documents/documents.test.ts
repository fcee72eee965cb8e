import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isFree } from '../free-port.ts';
import { missingProgram, titled } from '../installed-programs.ts';
import { packPackage } from '../package/packed.ts';
import { type Block, blocksOf, isOutput } from './blocks.ts';
import { pages, projectOf, root } from './pages.ts';
import { startRegistry } from './registry.ts';
import { Terminal } from './terminal.ts';

const scratch = mkdtempSync(join(tmpdir(), 'binnacle-documents-'));
const registry = await startRegistry((await packPackage()).tarball);
const programs = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

/** Which documents use, and not every machine has. */
const optional = ['kubectl', 'kube-controller-manager', 'etcd', 'etcdctl', 'go', 'openssl', 'curl'];

/** The port of a server that is told none. */
const defaultPort = 6443;

const commands = ['sh', 'bash'];
const code = ['js', 'ts'];

function isRun({ language, marks }: Block): boolean {
  if (marks.has('output') || marks.has('not-run')) return false;
  return marks.has('file') || commands.includes(language) || code.includes(language);
}

/** Why a block is not run here. */
function reasonAgainst({ language, text }: Block): string | undefined {
  if (!commands.includes(language)) return undefined;
  const used = optional.filter((program) => new RegExp(`(?:^|[|&;(] ?|\\s)${program} `, 'm').test(text));
  return missingProgram(...used.filter((program) => missingProgram(join(programs, program)) !== undefined));
}

function firstLine({ text, line, marks }: Block): string {
  const [first = ''] = text.split('\n');
  return `${line}: ${marks.get('file') ?? first}`;
}

const documents = pages
  .map((page) => ({ page, blocks: blocksOf(readFileSync(join(root, page), 'utf8')) }))
  .filter(({ blocks }) => blocks.some(isRun));

describe.each(documents)('$page', ({ page, blocks }) => {
  let terminal: Promise<Terminal> | undefined;
  const open = async (): Promise<Terminal> => {
    await expect.poll(() => isFree(defaultPort), { timeout: 250_000 }).toBe(true);
    const project = projectOf(page);
    return new Terminal({
      folder: mkdtempSync(join(scratch, 'page-')),
      project: project === undefined ? undefined : join(root, project),
      registry: registry.url,
      programs,
    });
  };
  afterAll(async () => (await terminal)?.[Symbol.asyncDispose]());
  let failed: string | undefined;
  // What follows a block that is skipped takes it for granted.
  let reason: string | undefined;

  for (const [index, block] of blocks.entries()) {
    if (!isRun(block)) continue;
    reason ??= reasonAgainst(block);
    const title = titled(firstLine(block), reason);
    test.skipIf(reason !== undefined)(title, { timeout: 600_000 }, async () => {
      if (failed !== undefined) throw new Error(`${page}:${failed} has failed before`);
      failed = title;
      terminal ??= open();
      const printed = await (await terminal).run(block);
      const shown = blocks[index + 1];
      if (shown?.marks.has('output') === true && !isOutput(printed, shown.text)) expect(printed).toBe(shown.text);
      failed = undefined;
    });
  }
});

test('what is not run has a reason', () => {
  const reasons = pages.flatMap((page) =>
    blocksOf(readFileSync(join(root, page), 'utf8')).map(({ marks }) => marks.get('not-run')),
  );
  expect(reasons.filter((reason) => reason !== undefined && !reason.includes(' '))).toEqual([]);
});
