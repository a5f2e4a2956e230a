import {
  type DescMessage,
  type Message,
  type Registry,
  clone,
  isMessage,
  toJson,
} from '@bufbuild/protobuf';
import {
  type Path,
  type ReflectMessage,
  isReflectMessage,
  reflect,
} from '@bufbuild/protobuf/reflect';
import { AnySchema, DurationSchema, TimestampSchema, anyUnpack } from '@bufbuild/protobuf/wkt';

/** A message without its doubtful values, and where they were. */
export interface Doubtful {
  readonly rest: Message;
  readonly paths: readonly Path[];
}

type IsDoubtful = (value: ReflectMessage) => boolean;

/**
 * Copies of a message without the values that an author of rules cannot foresee, because the wire
 * format lets them through: first without those that nobody can read, namely a google.protobuf.Any
 * that is empty, broken or of a type that is not known, and a time or duration outside the range
 * of its type; then without any google.protobuf.Any, whose type the caller chooses.
 */
export function* withoutDoubtful(
  desc: DescMessage,
  message: Message,
  registry: Registry,
): Iterable<Doubtful> {
  const unreadable: IsDoubtful = (value) => !isReadable(value, registry);
  for (const test of [unreadable, isAny]) {
    const rest = clone(desc, message);
    const paths: Path[] = [];
    remove(reflect(desc, rest), test, [], paths);
    if (paths.length > 0) yield { rest, paths };
  }
}

function remove(message: ReflectMessage, test: IsDoubtful, at: Path, paths: Path[]): void {
  const isRemoved = (value: unknown, path: Path): boolean => {
    if (!isReflectMessage(value)) return false;
    if (test(value)) return paths.push(path) > 0;
    remove(value, test, path, paths);
    return false;
  };
  for (const field of message.fields) {
    if (field.message === undefined || !message.isSet(field)) continue;
    const path: Path = [...at, field];
    if (field.fieldKind === 'list') {
      const list = message.get(field);
      const kept = [...list].filter(
        (item, index) => !isRemoved(item, [...path, { kind: 'list_sub', index }]),
      );
      list.clear();
      for (const item of kept) list.add(item);
    } else if (field.fieldKind === 'map') {
      const map = message.get(field);
      for (const [key, value] of map) {
        const place = { kind: 'map_sub' as const, key: key as string };
        if (isRemoved(value, [...path, place])) map.delete(key);
      }
    } else if (isRemoved(message.get(field), path)) message.clear(field);
  }
}

function isAny({ desc }: ReflectMessage): boolean {
  return desc.typeName === AnySchema.typeName;
}

function isReadable({ desc, message }: ReflectMessage, registry: Registry): boolean {
  try {
    if (isMessage(message, AnySchema)) return anyUnpack(message, registry) !== undefined;
    if (isMessage(message, TimestampSchema) || isMessage(message, DurationSchema)) {
      toJson(desc, message);
    }
    return true;
  } catch {
    return false;
  }
}
