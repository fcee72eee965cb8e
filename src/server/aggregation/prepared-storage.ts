import type {
  CallOptions,
  DeleteRequest,
  GetResult,
  PutRequest,
  RangeRequest,
  RangeResult,
  Storage,
  WriteResult,
} from '../../storage/contract.ts';
import { LayeredStorage } from '../../storage/layered.ts';

/**
 * A storage that is read and written only once it has been prepared. Whoever watches has read before, or wants to know
 * of what is written from now on.
 */
export class PreparedStorage extends LayeredStorage {
  readonly #prepared: () => Promise<void>;

  constructor(below: Storage, prepared: () => Promise<void>) {
    super(below);
    this.#prepared = prepared;
  }

  override async get(key: string, options?: { readonly revision?: number } & CallOptions): Promise<GetResult> {
    await this.#prepared();
    return this.below.get(key, options);
  }

  override async range(request: RangeRequest): Promise<RangeResult> {
    await this.#prepared();
    return this.below.range(request);
  }

  override async put(request: PutRequest): Promise<WriteResult> {
    await this.#prepared();
    return this.below.put(request);
  }

  override async delete(request: DeleteRequest): Promise<WriteResult> {
    await this.#prepared();
    return this.below.delete(request);
  }
}
