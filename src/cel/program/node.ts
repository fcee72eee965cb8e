import type { Value } from '../values/value.ts';
import type { Attribute } from './attribute.ts';
import { attributeEvaluator, resolver } from './attribute.ts';
import type { Evaluate } from './frame.ts';

/** A node being compiled. */
export type Node =
  | { readonly kind: 'constant'; readonly value: Value; readonly evaluate: Evaluate }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly evaluate: Evaluate }
  | { readonly kind: 'other'; readonly evaluate: Evaluate };

export function constantNode(value: Value): Node {
  return { kind: 'constant', value, evaluate: () => value };
}

export function attributeNode(attribute: Attribute): Node {
  let evaluate: Evaluate | undefined;
  return {
    kind: 'attribute',
    attribute,
    // Most attributes are extended into longer ones.
    get evaluate() {
      return (evaluate ??= attributeEvaluator(attribute));
    },
  };
}

export function otherNode(evaluate: Evaluate): Node {
  return { kind: 'other', evaluate };
}

/** As a branch or an index, where attributes omit the cost of the whole. */
export function unobserved(node: Node): Evaluate {
  return node.kind === 'attribute' ? resolver(node.attribute) : node.evaluate;
}

/** Something that steps can be appended to. */
export function asAttribute(node: Node): Attribute {
  if (node.kind === 'attribute') return node.attribute;
  return { base: node.evaluate, qualifiers: [], cost: 1, isTest: false };
}
