import { describe, expect, it } from 'vitest';
import { methodVerbs, parseRequestInfo } from '../../http/request/request-info.ts';
import { verbsByName, verbTable } from '../../http/verbs/verb-table.ts';
import { requestLabels } from './request-labels.ts';

function labels(method: string, target: string, contentType?: string): ReturnType<typeof requestLabels> {
  const [path = '', text = ''] = target.split('?');
  const query = new URLSearchParams(text);
  const exchange = { method, query: text, header: () => contentType };
  const info = parseRequestInfo({ method, path, query }, methodVerbs(verbTable));
  return requestLabels({ exchange, query, info, verb: verbsByName(verbTable).get(info.verb) });
}

describe('dry run labels of the reference', () => {
  it.each([
    ['/readyz', ''],
    ['/readyz?xdryRun=1', ''],
    ['/readyz?dryRun=All', 'All'],
    ['/readyz?dryRun=All&dryRun=All', 'All'],
    ['/readyz?dryRun=All,All', 'invalid'],
    ['/readyz?dryRun=All&dryRun=x', 'invalid'],
    ['/readyz?dryRun=', 'invalid'],
    [`/readyz?dryRun=${'x'.repeat(60_000)}`, 'invalid'],
  ])('%.40s', (target, dryRun) => expect(labels('GET', target).dry_run).toBe(dryRun));
});

describe('verb labels of the reference', () => {
  it.each([
    ['GET', '/readyz', 'GET'],
    ['HEAD', '/readyz', 'GET'],
    ['OPTIONS', '/readyz', 'other'],
    ['FROB', '/readyz', 'other'],
    ['constructor', '/readyz', 'other'],
    ['PROPFIND', '/api/v1/pods', 'other'],
    ['GET', '/api/v1/pods', 'LIST'],
    ['GET', '/api/v1/pods?watch=1', 'WATCH'],
    ['GET', '/api/v1/watch/pods', 'WATCH'],
    ['POST', '/api/v1/namespaces/a/pods', 'POST'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'DELETECOLLECTION'],
    ['GET', '/api/v1/namespaces/a/pods/b/exec', 'CONNECT'],
    ['PATCH', '/api/v1/namespaces/a/pods/b', 'PATCH'],
  ])('%s %s', (method, target, verb) => expect(labels(method, target).verb).toBe(verb));

  it('distinguishes applies from other patches', () => {
    const path = '/api/v1/namespaces/a/pods/b';
    expect(labels('PATCH', path, 'application/apply-patch+yaml').verb).toBe('APPLY');
    expect(labels('PATCH', path, 'application/merge-patch+json').verb).toBe('PATCH');
  });
});
