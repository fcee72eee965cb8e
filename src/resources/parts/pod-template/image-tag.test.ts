import { expect, test } from 'vitest';
import { imageTag } from './image-tag.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  ['nginx', 'latest'],
  ['nginx:1.27', '1.27'],
  ['registry.example/team/nginx', 'latest'],
  ['registry.example:5000/nginx', 'latest'],
  ['registry.example:5000/nginx:V1', 'V1'],
  ['localhost/nginx:latest', 'latest'],
  ['[::1]:5000/nginx', 'latest'],
  ['Registry/nginx', 'latest'],
  ['foo_bar.x/nginx', 'latest'],
  [`nginx@${digest}`, ''],
  [`nginx:1@${digest}`, '1'],
])('%s has the tag %j', (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});

test.each([
  '',
  ' nginx',
  'Nginx',
  'nginx:',
  'nginx:-1',
  '/nginx',
  'nginx/',
  'a//b',
  'a@b',
  'foo_bar:5000/x',
  'nginx@sha256:0',
  `nginx@${digest}@${digest}`,
  digest.slice('sha256:'.length),
  'a'.repeat(248),
  `x.example/${'a'.repeat(256)}`,
])('%j is malformed', (image) => {
  expect(imageTag(image)).toBe('');
});
