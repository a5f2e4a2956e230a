import { types } from 'node:util';
import type { SchemaIssue, StandardSchema } from './standard-schema.js';
import { type Branch, type Tree, isBranch } from './tree.js';

/** The output type of a schema: `SettingsOf<typeof schema>`. */
export type SettingsOf<S> = S extends StandardSchema<infer T> ? T : never;

type PartSchemas = Readonly<Record<string, StandardSchema<unknown>>>;

type SettingsOfParts<P extends PartSchemas> = { readonly [Name in keyof P]: SettingsOf<P[Name]> };

/**
 * A schema whose parts, keys at the top of the configuration, are checked by schemas of their own, of
 * whatever library: `withParts(z.object({ … }), { logging: loggingSchema })` with that of `@apix/logx`.
 * Mistakes of all of them are listed together. `schema` does not see the parts, so it may be strict; what
 * it makes has to be a plain object, into which the parts are put.
 */
export function withParts<T extends object, P extends PartSchemas>(
  schema: StandardSchema<T>,
  parts: P,
): StandardSchema<T & SettingsOfParts<P>> {
  const names = Object.keys(parts);
  return {
    '~standard': {
      version: 1,
      vendor: 'apix',
      async validate(value) {
        const whole = isBranch(value) ? value : {};
        const own = await schema['~standard'].validate(
          isBranch(value) ? withoutParts(value, names) : value,
        );
        const issues: SchemaIssue[] = [...(own.issues ?? [])];
        const made: Branch = {};
        for (const [name, part] of Object.entries(parts)) {
          const result = await part['~standard'].validate(whole[name]);
          if (result.issues === undefined) made[name] = result.value;
          else issues.push(...result.issues.map((issue) => within(name, issue)));
        }
        if (own.issues === undefined && !isPlain(own.value)) {
          issues.push({ message: 'the schema next to the parts must produce a plain object' });
        }
        if (own.issues !== undefined || issues.length > 0) return { issues };
        return { value: { ...own.value, ...made } as T & SettingsOfParts<P> };
      },
    },
  };
}

function within(name: string, { path = [], message }: SchemaIssue): SchemaIssue {
  return { path: [name, ...path], message };
}

function isPlain(value: unknown): boolean {
  if (!isBranch(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The rest of a tree. Of a tree that is watched it is a view, since a copy would have looked at every
 * setting.
 */
// Why: docs/decisions/0058
function withoutParts(tree: Branch, names: readonly string[]): Tree {
  if (!types.isProxy(tree)) {
    return Object.fromEntries(Object.entries(tree).filter(([key]) => !names.includes(key)));
  }
  const isHidden = (key: string | symbol): boolean =>
    typeof key === 'string' && names.includes(key);
  return new Proxy(tree, {
    get: (target, key) => (isHidden(key) ? undefined : Reflect.get(target, key)),
    has: (target, key) => !isHidden(key) && Reflect.has(target, key),
    ownKeys: (target) => Reflect.ownKeys(target).filter((key) => !isHidden(key)),
    getOwnPropertyDescriptor: (target, key) =>
      isHidden(key) ? undefined : Reflect.getOwnPropertyDescriptor(target, key),
  });
}
