import { expect, test } from 'vitest';
import { chosenPlugins, PluginChoiceError } from './plugin-choice.ts';
import { pluginTable } from './plugin-table.ts';

function chosen(enable: readonly string[], disable: readonly string[]): string[] {
  return chosenPlugins({ enable, disable }).map(({ name }) => name);
}

const defaults = chosen([], []);

test('plugins run in the order of the table', () => {
  expect(defaults).toEqual(pluginTable.filter(({ byDefault }) => byDefault === 'on').map(({ name }) => name));
  expect(chosen(['Priority', 'NamespaceLifecycle'], [])).toEqual(defaults);
});

test('a disabled plugin does not run, built or not', () => {
  expect(chosen([], ['Priority', 'ServiceAccount'])).toEqual(
    defaults.filter((name) => name !== 'Priority' && name !== 'ServiceAccount'),
  );
});

test.each([
  [['Any'], [], 'enable-admission-plugins plugin "Any" is unknown'],
  [[], ['priority'], 'disable-admission-plugins plugin "priority" is unknown'],
  [
    ['Priority', 'NamespaceLifecycle'],
    ['Priority', 'NamespaceLifecycle'],
    '[NamespaceLifecycle Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
  ],
  [
    ['Any'],
    ['Other'],
    '[enable-admission-plugins plugin "Any" is unknown, disable-admission-plugins plugin "Other" is unknown]',
  ],
])('enabling %j and disabling %j is refused', (enable, disable, message) => {
  expect(() => chosen(enable, disable)).toThrow(new PluginChoiceError(message));
});
