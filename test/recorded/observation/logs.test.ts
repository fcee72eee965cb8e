import { describe, expect, test } from 'vitest';
import { ApiClient } from '../../api-client.ts';
import { type KlogLine, klogLines } from '../../observation/klog-line.ts';
import { readCases } from '../recording.ts';
import { comparable, playLogged } from './log-script.ts';
import { LoggedServer } from '../../observation/logged-server.ts';

// The lines of a process, beside those that kube-apiserver has written about the same requests.

async function played(...flags: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  await using server = await LoggedServer.start('--authorization-mode=RBAC', ...flags);
  using client = await ApiClient.connect(server);
  await playLogged(server.url, client);
  return await server.output();
}

/** The secrets that bodies and headers of the requests have. */
function expectNoSecrets(text: string): void {
  expect(text).not.toMatch(/top-secret|PRIVATE KEY|Bearer/);
}

test('as text', async () => {
  const { stderr, stdout } = await played('-v=4');
  const lines = klogLines(stderr);
  expect(comparable(lines)).toEqual(readCases('observation', 'log-lines'));
  expectNoSecrets(stderr + stdout);
  expect(stdout).not.toContain('"HTTP"');
  expect(stderr).not.toContain('probe/unseen');
  expect(lines.find(({ message }) => message === 'HTTP')).toMatchObject({
    file: 'httplog.ts',
    line: expect.any(Number),
  });
});

/** A line of JSON as one of klog's text format. */
function lineOfJson(text: string): KlogLine {
  const { ts, caller, msg, v, ...values } = JSON.parse(text) as { readonly [key: string]: unknown };
  expect([Object.keys(JSON.parse(text) as object).slice(0, 3), typeof ts]).toEqual([['ts', 'caller', 'msg'], 'number']);
  expect(caller).toMatch(/^[\w-]+\/[\w-]+\.ts:\d+$/);
  const shown = Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)] as const);
  return { severity: v === undefined ? 'E' : 'I', file: '', line: 0, message: String(msg), values: shown };
}

test('as JSON', async () => {
  const { stderr } = await played('-v=4', '--logging-format=json');
  const lines = stderr.trim().split('\n').map(lineOfJson);
  expect(comparable(lines)).toEqual(readCases('observation', 'log-lines'));
  const http = stderr.split('\n').find((line) => line.includes('"audit-ID":"probe-0"'));
  expect(JSON.parse(http ?? '')).toMatchObject({ v: 3, verb: 'GET', apf_iseats: 1, resp: 200 });
  expectNoSecrets(stderr);
});

test.each(['text', 'json'])('split: info to standard output, errors to standard error (%s)', async (format) => {
  const split = [`--log-${format}-split-stream`, `--log-${format}-info-buffer-size=64Ki`];
  const gates = '--feature-gates=LoggingAlphaOptions=true';
  const { stdout, stderr } = await played('-v=3', `--logging-format=${format}`, gates, ...split);
  expect(stdout).toContain('probe/0');
  expect(stderr).toContain('Unable to authenticate the request');
  expect(stderr).not.toContain('probe/');
  expect(stdout).not.toContain('Unable to authenticate');
});

describe('verbosity', () => {
  test('is by file with --vmodule', async () => {
    const { stderr } = await played('--vmodule=http*=3,other=9');
    expect(stderr).toContain('probe/0');
    expect(stderr).not.toContain('Starting watch');
  });

  test('of 0 has no lines of requests, and 10 no secrets', async () => {
    const quiet = await played();
    expect(comparable(klogLines(quiet.stderr))).toEqual([
      'E Unable to authenticate the request err="invalid bearer token"',
    ]);
    const { stderr } = await played('-v=10');
    expect(stderr).toContain('probe/0');
    expectNoSecrets(stderr);
  });
});
