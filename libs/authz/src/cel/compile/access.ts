import { CelError } from '../cel-error.js';
import { CelUint, isCelMap, isMessageValue, mapKey, noSuchOverload } from '../values/cel-value.js';
import type { CelMap, MapKey } from '../values/cel-value.js';
import type { FindMessage } from '../values/compare.js';
import type { CelFieldReader, FieldReaders } from '../values/read-field.js';

/** Selection and index of values whose type is known only at the evaluation. */
export class DynamicAccess {
  constructor(
    private readonly find: FindMessage,
    private readonly readers: FieldReaders,
  ) {}

  select(value: unknown, name: string): unknown {
    if (isCelMap(value)) return entryOf(value, name, name);
    const reader = this.reader(value, name);
    return reader instanceof CelError ? reader : reader.read(value);
  }

  has(value: unknown, name: string): unknown {
    if (isCelMap(value)) return value.get(name) !== undefined;
    const reader = this.reader(value, name);
    return reader instanceof CelError ? reader : reader.isSet(value);
  }

  private reader(value: unknown, name: string): CelFieldReader | CelError {
    if (!isMessageValue(value)) return noSuchOverload('a selection', value);
    const desc = this.find(value.$typeName);
    const reader = desc && this.readers.of(desc, name);
    return reader ?? new CelError(`${value.$typeName} has no field "${name}"`);
  }
}

/** `value[key]` of a list or a map. */
export function indexOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    const at = mapKey(key);
    if (typeof at !== 'bigint') return noSuchOverload('_[_]', value, key);
    if (at < 0 || at >= value.length) return new CelError(`index ${at} is out of range`);
    return value[Number(at)];
  }
  if (!isCelMap(value)) return noSuchOverload('_[_]', value, key);
  const as = mapKey(key);
  if (as === undefined) return noSuchKey(key);
  return entryOf(value, as, key);
}

/** Null is an entry too. */
function entryOf(map: CelMap, as: MapKey, key: unknown): unknown {
  const value = map.get(as);
  return value === undefined ? noSuchKey(key) : value;
}

function noSuchKey(key: unknown): CelError {
  const shown = key instanceof CelUint ? `${key.value}u` : String(key).slice(0, 64);
  return new CelError(`no such key: ${shown}`);
}
