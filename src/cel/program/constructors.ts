import { isHashable, MapValue } from '../values/collections.ts';
import { valueText } from '../values/texts.ts';
import { CelError, isError, Optional, type Value } from '../values/value.ts';
import { type Evaluate, Frame } from './frame.ts';
import { constantNode, type Node, otherNode } from './node.ts';

// List, map and message literals. Constant lists and maps are built once, and are free.

const listCost = 10;
const mapCost = 30;
const structCost = 40;

interface ElementNode {
  readonly value: Node;
  readonly isOptional: boolean;
}

interface EntryNode extends ElementNode {
  readonly key: Node;
}

interface FieldNode extends ElementNode {
  readonly name: string;
}

export function listNode(elements: readonly ElementNode[]): Node {
  const make = listEvaluator(elements);
  if (elements.every(({ value }) => value.kind === 'constant')) return constantNode(make(nowhere()));
  return otherNode(charged(make, listCost));
}

/** For constants, which need no frame. */
function nowhere(): Frame {
  return new Frame([], 0, { hasTurns: false, costLimit: Infinity });
}

function charged(make: Evaluate, cost: number): Evaluate {
  return (frame) => {
    const value = make(frame);
    frame.charge(cost);
    return value;
  };
}

function listEvaluator(elements: readonly ElementNode[]): Evaluate {
  const evaluates = elements.map(({ value, isOptional }) => ({ evaluate: value.evaluate, isOptional }));
  return (frame) => {
    const values: Value[] = [];
    for (const { evaluate, isOptional } of evaluates) {
      const value = evaluate(frame);
      if (isError(value)) return value;
      if (!isOptional) {
        values.push(value);
      } else if (!(value instanceof Optional)) {
        return new CelError(`cannot initialize optional list element from non-optional value ${valueText(value)}`);
      } else if (value.value !== undefined) {
        values.push(value.value);
      }
    }
    return values;
  };
}

export function mapNode(entries: readonly EntryNode[]): Node {
  const make = mapEvaluator(entries);
  const isConstant = entries.every(
    ({ key, value }) => key.kind === 'constant' && isHashable(key.value) && value.kind === 'constant',
  );
  return isConstant ? constantNode(make(nowhere())) : otherNode(charged(make, mapCost));
}

function mapEvaluator(entries: readonly EntryNode[]): Evaluate {
  return (frame) => {
    const map = new MapValue();
    for (const entry of entries) {
      const key = entry.key.evaluate(frame);
      if (isError(key)) return key;
      const value = entry.value.evaluate(frame);
      if (isError(value)) return value;
      const given = entry.isOptional ? fromOptional(valueText(key), value) : value;
      if (given === undefined) map.delete(key);
      else if (isError(given)) return given;
      else map.set(key, given);
    }
    return map;
  };
}

/** Undefined when absent. */
function fromOptional(name: string, value: Value): Value | undefined {
  if (value instanceof Optional) return value.value;
  return new CelError(`cannot initialize optional entry '${name}' from non-optional value ${valueText(value)}`);
}

/** `construct` yields undefined for types without values. */
export function structNode(
  name: string,
  fields: readonly FieldNode[],
  construct: (values: ReadonlyMap<string, Value>) => Value | undefined,
): Node {
  const unknown = new CelError(`unknown type '${name}'`);
  const make: Evaluate = (frame) => {
    const values = new Map<string, Value>();
    for (const field of fields) {
      const value = field.value.evaluate(frame);
      if (isError(value)) return value;
      const given = field.isOptional ? fromOptional(field.name, value) : value;
      if (given === undefined) values.delete(field.name);
      else if (isError(given)) return given;
      else values.set(field.name, given);
    }
    const made = construct(values);
    return made === undefined ? unknown : made;
  };
  return otherNode(charged(make, structCost));
}
