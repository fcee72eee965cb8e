import { ConfigError } from '../api/errors/config-error.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { ControllerRow } from './controller-table.ts';

/** All controllers that are enabled by default. */
const everything = '*';

/** A choice that names an unknown controller, in kube-controller-manager's words. */
export class ControllerChoiceError extends ConfigError {
  override readonly code = 'CONTROLLER_CHOICE';
}

/**
 * The controllers to run, in the order of the table. `*` means those that are on by default, `NAME` one, `-NAME` not
 * that one; of what is said twice the first counts. Throws a ControllerChoiceError.
 */
export function chosenControllers(
  choice: readonly string[],
  table: readonly ControllerRow[],
): readonly ControllerRow[] {
  const named = choice.filter((text) => text !== everything);
  const unknown = named.map(nameIn).filter((name) => !table.some((row) => isCalled(row, name)));
  if (unknown.length > 0) {
    const texts = unknown.map((name) => `${goQuote(name)} is not in the list of known controllers`);
    throw new ControllerChoiceError(texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`);
  }
  return table.filter((row) => {
    const said = named.find((text) => isCalled(row, nameIn(text)));
    if (said !== undefined) return !said.startsWith('-');
    return choice.includes(everything) && row.isOffByDefault !== true;
  });
}

function nameIn(text: string): string {
  return text.startsWith('-') ? text.slice(1) : text;
}

function isCalled({ name, aliases = [] }: ControllerRow, text: string): boolean {
  return name === text || aliases.includes(text);
}
