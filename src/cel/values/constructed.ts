import type { CelType } from '../types/cel-type.ts';
import { MapObject } from './collections.ts';
import { CelError, noSuchOverload, type Value } from './value.ts';

/** An object that an expression has constructed, as in `Object.spec{replicas: 3}`. */
export class ConstructedObject extends MapObject {
  readonly #type: CelType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: CelType, fields: ReadonlyMap<string, Value>) {
    super();
    this.#type = type;
    this.fields = fields;
  }

  override get type(): CelType {
    return this.#type;
  }

  get size(): number {
    return this.fields.size;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return key instanceof CelError ? key : noSuchOverload;
    return this.fields.get(key);
  }

  *keys(): Generator<Value> {
    yield* this.fields.keys();
  }
}
