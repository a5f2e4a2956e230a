import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import { Code, StatusError } from '@apix/contracts';

/**
 * Copies the changeable top-level fields from `source` to `target`: those that the mask names,
 * where an unset one clears the target's, or without a mask those that are set.
 *
 * @throws StatusError INVALID_ARGUMENT that names a path of the mask that is not changeable.
 */
export function replaceFields<Desc extends DescMessage>(
  desc: Desc,
  target: MessageShape<Desc>,
  source: MessageShape<Desc>,
  mask: FieldMask | undefined,
  changeable: readonly string[],
): void {
  const to = reflect(desc, target);
  const from = reflect(desc, source);
  const fields = desc.fields.filter(({ name }) => changeable.includes(name));
  const paths = mask?.paths ?? fields.filter((field) => from.isSet(field)).map(({ name }) => name);
  for (const path of paths) {
    const field = fields.find(({ name }) => name === path);
    if (field === undefined) {
      throw new StatusError(
        Code.INVALID_ARGUMENT,
        `update_mask: "${path}" cannot be changed; choose from ${changeable.join(', ')}`,
      );
    }
    if (from.isSet(field)) to.set(field, from.get(field));
    else to.clear(field);
  }
}
