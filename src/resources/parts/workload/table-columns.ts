import { textColumn, wide } from '../tables/define-table.ts';

export const containerColumns = [
  wide(textColumn('Containers', 'Names of the containers.')),
  wide(textColumn('Images', 'Images of the containers.')),
];

export const selectorColumn = wide(textColumn('Selector', 'Labels of the counted pods.'));
