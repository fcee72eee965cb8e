import { describe, expect, it } from 'vitest';
import { methodVerbs, parseRequestInfo } from '../http/request/request-info.ts';
import { verbsByName, verbTable } from '../http/verbs/verb-table.ts';
import { cleanDryRun, cleanFieldValidation, cleanVerb, scopeOfName, scopeOfRoute } from './request-labels.ts';

function labelsOf(method: string, target: string, contentType?: string) {
  const [path = '', text = ''] = target.split('?');
  const query = new URLSearchParams(text);
  const exchange = { method, query: text, header: () => contentType };
  const info = parseRequestInfo({ method, path, query }, methodVerbs(verbTable));
  return { exchange, query, info, verb: verbsByName(verbTable).get(info.verb) };
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
  ])('%.40s', (target, dryRun) => expect(cleanDryRun(labelsOf('GET', target))).toBe(dryRun));
});

describe('field validation labels of the reference', () => {
  it.each([
    ['/readyz', ''],
    ['/readyz?fieldValidation=Strict', 'Strict'],
    ['/readyz?fieldValidation=', ''],
    ['/readyz?fieldValidation=strict', 'invalid'],
    ['/readyz?fieldValidation=Warn&fieldValidation=Warn', 'invalid'],
    ['/readyz?xfieldValidation=Warn', 'invalid'],
  ])('%s', (target, validation) => expect(cleanFieldValidation(labelsOf('GET', target))).toBe(validation));
});

describe('lists by name', () => {
  const list = labelsOf('GET', '/apis/a.b/v1/namespaces/c/ds?fieldSelector=metadata.name%3De');

  it('are lists of a namespace on routes of lists', () => {
    expect([cleanVerb(list), scopeOfRoute(list.info)]).toEqual(['LIST', 'namespace']);
  });

  it('of custom resources are requests for one', () => {
    expect([cleanVerb(list, true), scopeOfName(list.info)]).toEqual(['GET', 'resource']);
  });
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
    ['DELETE', '/api/v1/namespaces/a/pods', 'DELETE'],
    ['GET', '/api/v1/namespaces/a/pods/b/exec', 'CONNECT'],
    ['PATCH', '/api/v1/namespaces/a/pods/b', 'PATCH'],
  ])('%s %s', (method, target, verb) => expect(cleanVerb(labelsOf(method, target))).toBe(verb));

  it('distinguishes applies from other patches', () => {
    const path = '/api/v1/namespaces/a/pods/b';
    expect(cleanVerb(labelsOf('PATCH', path, 'application/apply-patch+yaml'))).toBe('APPLY');
    expect(cleanVerb(labelsOf('PATCH', path, 'application/merge-patch+json'))).toBe('PATCH');
  });
});
