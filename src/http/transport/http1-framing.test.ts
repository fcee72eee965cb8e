import { expect, it } from 'vitest';
import { originForm } from './http1-framing.ts';

it.each([
  ['/version', '/version'],
  ['/version?a=http://x', '/version?a=http://x'],
  ['http://host/version', '/version'],
  ['https://u:p@host:6443/version?x=/', '/version?x=/'],
  ['http://host', ''],
  ['http://host?/version', '?/version'],
  ['*', '*'],
  ['host:443', 'host:443'],
])('%s is a request for %j', (target, form) => expect(originForm(target)).toBe(form));
