import { nearestName } from '@apix/contracts/internal';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';

/** The message about a name that no method of the service has. */
export function unknownMethod(
  { typeName }: DescService,
  name: string,
  names: readonly string[],
): string {
  const meant = nearestName(name, names);
  const hint = meant === undefined ? `it has ${names.join(', ')}` : `did you mean ${meant}?`;
  return `${typeName} has no such method; ${hint}`;
}

/** Whether the proto of a method declares it idempotent. */
export function isDeclaredIdempotent({ idempotency }: DescMethod): boolean {
  return idempotency === Level.IDEMPOTENT || idempotency === Level.NO_SIDE_EFFECTS;
}

/** Why a method must not be called a second time. */
export function notIdempotent({ parent, name }: DescMethod): string {
  return (
    `${parent.typeName}/${name} is not declared idempotent, so a second attempt might do its work ` +
    'twice; set idempotency_level in its proto, or idempotent: true for the method'
  );
}
