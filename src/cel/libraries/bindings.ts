import { bindMacro } from '../syntax/extension-macros.ts';
import type { Library } from './define.ts';

/** Local variables. */
export const bindingsLibrary: Library = { name: 'bindings', macros: [bindMacro] };
