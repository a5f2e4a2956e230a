import { replaceOn } from '@apix/contracts/internal';

type Register = (...args: unknown[]) => unknown;
type CreateFactory = (...args: unknown[]) => Register | Promise<Register>;

/** What Nest calls to register body parsers; the last is optional. */
const REGISTERS = ['registerParserMiddleware', 'useBodyParser'] as const;

interface Patchable {
  createMiddlewareFactory: CreateFactory;
  use: Register;
  registerParserMiddleware: Register;
  useBodyParser?: Register;
}

/** The names that body-parser gives to its middleware; Nest knows them by these names too. */
const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

/** Whether middleware is a body parser, by its name. */
export function isBodyParser(work: { readonly name: string }): boolean {
  return BODY_PARSERS.has(work.name);
}

/**
 * Calls `after` each time that Nest has added a middleware of a module to an HTTP adapter. The returned
 * function undoes it.
 */
export function afterEachMiddleware(adapter: object, after: () => void): () => void {
  const heard =
    (add: Register): Register =>
    (...middleware) => {
      const result = add(...middleware);
      after();
      return result;
    };
  return replaceOn(adapter as Patchable, 'createMiddlewareFactory', (create) => (...args) => {
    const add = create.apply(adapter, args);
    return add instanceof Promise ? add.then(heard) : heard(add);
  });
}

/**
 * Replaces the body parsers that an HTTP adapter gets from now on by what `guard` makes of them: what it adds
 * by `use` while Nest has it register parsers, and what has the name of one. The returned function ends it;
 * guarded ones stay so.
 */
export function aroundParsers(adapter: object, guard: (parse: Register) => unknown): () => void {
  const patchable = adapter as Patchable;
  let registering = false;
  const guarded = (work: unknown): unknown =>
    typeof work === 'function' && (registering || isBodyParser(work))
      ? guard(work as Register)
      : work;
  const undo = [
    replaceOn(
      patchable,
      'use',
      (use) =>
        (...args) =>
          use.apply(adapter, args.map(guarded)),
    ),
  ];
  for (const name of REGISTERS) {
    if (patchable[name] === undefined) continue;
    undo.push(
      replaceOn(patchable, name, (register) => (...args) => {
        registering = true;
        try {
          return register.apply(adapter, args);
        } finally {
          registering = false;
        }
      }),
    );
  }
  return () => {
    for (const each of undo) each();
  };
}
